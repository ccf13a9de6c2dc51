import { expect, it } from 'vitest';
import { toReleaseNotes } from './to-release-notes.ts';

it.each([
  ['keeps Markdown', '## New\n- **Maps**', '## New\n- **Maps**'],
  [
    'turns the HTML of GitHub into Markdown',
    '<h2>New</h2>\n<ul>\n<li>Maps</li>\n<li>Faster &amp; smaller</li>\n</ul>',
    '### New\n\n- Maps\n\n- Faster & smaller',
  ],
  ['drops scripts with their text', 'a<script>steal()</script>b<style>x{}</style>', 'ab'],
  ['drops what follows a script that does not end', 'a<script>steal()', 'a'],
  ['drops tags that do not end', 'a <img src=x onerror=steal()', 'a'],
  ['spells out what reorders or hides text', 'a\u202eb\u200bc', 'a\\u{202e}b\\u{200b}c'],
  ['leaves text that is no tag', '1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
])('%s', (_name, raw, expected) => {
  expect(toReleaseNotes(raw)).toBe(expected);
});

it('bounds the length and ends quickly on text made to be slow', () => {
  for (const part of ['<', '<a', '<script>', '&lt;', '\n', ' ', '<li> ']) {
    expect(toReleaseNotes(part.repeat(200_000)).length).toBeLessThan(60_000);
  }
});
