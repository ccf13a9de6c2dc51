import { UnstyledButton } from '@mantine/core';
import { Fragment, memo, useDeferredValue, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Components, Options } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { ShallowMarkdown } from '../../ui/text/shallow-markdown.tsx';
import { openWebLink } from '../chat-actions.ts';
import { createAnswerParts, type PartBlock } from './answer-parts.ts';
import classes from './markdown-text.module.css';
import linkClasses from './place-button.module.css';
import { PlaceButton } from './place-button.tsx';
import { fromHref } from './place-links.ts';
import { remarkPlaces } from './remark-places.ts';
import { useKnownPaths } from './use-known-paths.ts';

interface MarkdownTextProps {
  text: string;
}

/** Lowers heading levels: headings inside a message would break the outline of the page. */
const FLAT_HEADINGS: Components = { h1: 'h4', h2: 'h4', h3: 'h4', h4: 'h5', h5: 'h6', h6: 'h6' };

/** Returns the parser plugins and components that link to files of the game. */
function useMarkdown(): { plugins: NonNullable<Options['remarkPlugins']>; components: Components } {
  const { t } = useTranslation('chat');
  // Deferred: links to a new file may appear later and must not block rendering.
  const knownPaths = useDeferredValue(useKnownPaths());
  const components = useMemo<Components>(
    () => ({
      ...FLAT_HEADINGS,
      a: ({ href = '', children }) => {
        const place = fromHref(href, knownPaths);
        if (place) {
          return (
            <PlaceButton path={place.path} line={place.line}>
              {children}
            </PlaceButton>
          );
        }
        if (!href.startsWith('https://')) return <span>{children}</span>;
        return (
          <UnstyledButton
            component="button"
            className={linkClasses.root}
            title={`${t('link.web')}: ${href}`}
            onClick={() => void openWebLink(href)}
          >
            {children}
          </UnstyledButton>
        );
      },
      img: ({ alt }) => <span>{alt}</span>,
      table: ({ children }) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable
        <div className={classes.scroll} tabIndex={0}>
          <table>{children}</table>
        </div>
      ),
    }),
    [knownPaths, t],
  );
  const plugins = useMemo(
    () => [remarkGfm, [remarkPlaces, { knownPaths }] as [typeof remarkPlaces, { knownPaths: readonly string[] }]],
    [knownPaths],
  );
  return { plugins, components };
}

/** A short Markdown text: a note, a question or a plan. See `AnswerText` for what is allowed. */
export const MarkdownText = memo(function MarkdownText({ text }: MarkdownTextProps) {
  const [toParts] = useState(createAnswerParts);
  const parts = toParts(text);
  const isInTurn = useDeferredValue(true, false);
  const shown = isInTurn ? parts : parts.slice(0, 1);
  return <AnswerText blocks={shown.flatMap(({ blocks }) => blocks)} />;
});

/**
 * Renders Markdown of the assistant. HTML is shown as source text. Images are not loaded because an image URL could send
 * user data to a third party. Links open a location in the game, or an https page after a click; all others are plain text.
 */
export function AnswerText({ blocks }: { blocks: readonly PartBlock[] }) {
  const { plugins, components } = useMarkdown();
  return (
    <div className={classes.root}>
      {blocks.map(({ start, text, isContinued }) => (
        <Fragment key={start}>
          {isContinued && <span className={classes.seam} />}
          <Block text={text} plugins={plugins} components={components} />
        </Fragment>
      ))}
    </div>
  );
}

interface BlockProps {
  text: string;
  plugins: NonNullable<Options['remarkPlugins']>;
  components: Components;
}

/** Memoized: parses again only when its own text changes, so a long answer costs only its new text. */
const Block = memo(function Block({ text, plugins, components }: BlockProps) {
  // Makes footnote ids unique: two blocks may use the same names.
  const clobberPrefix = `${useId()}-`;
  return (
    <ShallowMarkdown remarkPlugins={plugins} remarkRehypeOptions={{ clobberPrefix }} components={components}>
      {text}
    </ShallowMarkdown>
  );
});
