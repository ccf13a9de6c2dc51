import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const DOCS = join(import.meta.dirname, '..', '..', 'docs');

it('lists each decision once, in order', () => {
  const listed = [
    ...readFileSync(join(DOCS, 'README.md'), 'utf8').matchAll(/^\| \d+ \| \[.*\]\(decisions\/(.+\.md)\)/gm),
  ];
  const files = readdirSync(join(DOCS, 'decisions')).filter((name) => /^\d{4}-/.test(name));
  expect(listed.map(([, name]) => name)).toEqual(files.sort());
});
