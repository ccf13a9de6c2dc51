import { UnstyledButton } from '@mantine/core';
import { Fragment, memo, useDeferredValue, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import Markdown, { type Components, type Options } from 'react-markdown';
import remarkGfm from 'remark-gfm';
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

/** Headings inside a message would break the page's outline. */
const FLAT_HEADINGS: Components = { h1: 'h4', h2: 'h4', h3: 'h4', h4: 'h5', h5: 'h6', h6: 'h6' };

/** What links of the game's files may lead to, as the parser and the links themselves need it. */
function useMarkdown(): { plugins: NonNullable<Options['remarkPlugins']>; components: Components } {
  const { t } = useTranslation('chat');
  // A new file must not hold up the page: links to it appear a moment later.
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
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

/** A short text of the assistant: a note, a question, a plan. See `AnswerText`. */
export const MarkdownText = memo(function MarkdownText({ text }: MarkdownTextProps) {
  const [toParts] = useState(createAnswerParts);
  const parts = toParts(text);
  const isInTurn = useDeferredValue(true, false);
  const shown = isInTurn ? parts : parts.slice(0, 1);
  return <AnswerText blocks={shown.flatMap(({ blocks }) => blocks)} />;
});

/**
 * The assistant's Markdown. HTML is shown as the text it is, and there are no pictures, for a picture's address could
 * carry the user's words to a stranger. Links open a place in the game, or an https page after a click; all others are
 * plain text.
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

/** Parsed again only when its own text is another one, so that a long answer costs what is new of it. */
const Block = memo(function Block({ text, plugins, components }: BlockProps) {
  // Footnotes of two blocks may have the same names.
  const clobberPrefix = `${useId()}-`;
  return (
    <Markdown remarkPlugins={plugins} remarkRehypeOptions={{ clobberPrefix }} components={components}>
      {text}
    </Markdown>
  );
});
