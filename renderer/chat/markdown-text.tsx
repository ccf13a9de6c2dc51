import { UnstyledButton } from '@mantine/core';
import { memo, useDeferredValue, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { openWebLink } from './chat-actions.ts';
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

/**
 * The assistant's Markdown. HTML is shown as the text it is, and there are no pictures, for a picture's address could carry her words to a stranger. Links
 * open a place in the game, or an https page after a click; all others are plain text.
 */
export const MarkdownText = memo(function MarkdownText({ text }: MarkdownTextProps) {
  const { t } = useTranslation('chat');
  const knownPaths = useKnownPaths();
  // While text streams in, drawing it may lag behind her typing, never the other way round.
  const shown = useDeferredValue(text);
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
  return (
    <div className={classes.root}>
      <Markdown remarkPlugins={plugins} components={components}>
        {shown}
      </Markdown>
    </div>
  );
});
