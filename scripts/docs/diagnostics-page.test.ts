import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writeDiagnosticsPage } from './diagnostics-page.ts';

test('docs/diagnostics.md matches the table', () => {
  expect(readFileSync(new URL('../../docs/diagnostics.md', import.meta.url), 'utf8')).toBe(writeDiagnosticsPage());
});
