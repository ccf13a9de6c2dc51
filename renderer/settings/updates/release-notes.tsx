import { ShallowMarkdown } from '../../ui/text/shallow-markdown.tsx';
import classes from './updates.module.css';

/** Allowed elements: no links, pictures or HTML, because release notes come from the feed and are not trusted. */
const ALLOWED = ['p', 'ul', 'ol', 'li', 'strong', 'em', 'code', 'pre', 'blockquote', 'h4', 'h5', 'h6', 'hr', 'br'];
/** Headings of the notes are nested below the section's heading. */
const HEADINGS = { h1: 'h4', h2: 'h4', h3: 'h4' } as const;

interface ReleaseNotesProps {
  label: string;
  text: string;
}

/** Release notes as plain Markdown, in a region that scrolls by itself. */
export function ReleaseNotes({ label, text }: ReleaseNotesProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <section className={classes.notes} aria-label={label} tabIndex={0} data-testid="release-notes">
      <ShallowMarkdown
        skipHtml
        unwrapDisallowed
        allowedElements={[...ALLOWED, ...Object.keys(HEADINGS)]}
        components={HEADINGS}
      >
        {text}
      </ShallowMarkdown>
    </section>
  );
}
