import { expect, it } from 'vitest';
import { toReleaseNotes } from './to-release-notes.ts';

it.each([
  ['keeps Markdown', '## New\n- **Maps**', '## New\n- **Maps**'],
  [
    'converts the HTML of GitHub to Markdown',
    '<h2>New</h2>\n<ul>\n<li>Maps</li>\n<li>Faster &amp; smaller</li>\n</ul>',
    '### New\n\n- Maps\n\n- Faster & smaller',
  ],
  ['drops scripts with their text', 'a<script>steal()</script>b<style>x{}</style>', 'ab'],
  ['drops the text after an unclosed script', 'a<script>steal()', 'a'],
  ['drops unclosed tags', 'a <img src=x onerror=steal()', 'a'],
  ['escapes characters that reorder or hide text', 'a\u202eb\u200bc', 'a\\u{202e}b\\u{200b}c'],
  ['keeps text that only looks like a tag', '1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
])('%s', (_name, raw, expected) => {
  expect(toReleaseNotes(raw)).toBe(expected);
});

it('limits the length and does not backtrack on adversarial text', () => {
  for (const part of ['<', '<a', '<script>', '&lt;', '\n', ' ', '<li> ']) {
    expect(toReleaseNotes(part.repeat(200_000)).length).toBeLessThan(60_000);
  }
});
