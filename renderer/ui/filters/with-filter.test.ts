import { expect, test } from 'vitest';
import { withFilter } from './with-filter.ts';

test('omits empty fields', () => {
  const filter: { tool?: string; text?: string; outcome?: string } = { tool: 'grep', text: 'a' };
  expect(withFilter(filter, { text: '', outcome: 'done' })).toEqual({ tool: 'grep', outcome: 'done' });
  expect(withFilter(filter, { tool: undefined })).toEqual({ text: 'a' });
});
