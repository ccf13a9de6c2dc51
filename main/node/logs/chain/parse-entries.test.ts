import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createEntryBatch, parseEntry } from './parse-entries.ts';

function parse(texts: readonly string[], flushAt = -1): unknown[] {
  const entries: unknown[] = [];
  const batch = createEntryBatch((entry) => entries.push(entry));
  for (const [index, text] of texts.entries()) {
    const bytes = Buffer.from(`{"event":${text}}`);
    batch.add(bytes, '{"event":'.length, bytes.length - 1);
    bytes.fill(0);
    if (index === flushAt) batch.flush();
  }
  batch.flush();
  return entries;
}

it('returns each entry as a parse of its own does, in their order', () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.nat(70_000).map((length) => '雨'.repeat(length)),
  );
  fc.assert(
    fc.property(fc.array(value, { maxLength: 20 }), fc.nat(20), (values, flushAt) => {
      const texts = values.map((each) => JSON.stringify(each));
      expect(parse(texts, flushAt)).toEqual(texts.map(parseEntry));
    }),
    { numRuns: 60 },
  );
});

it.each([
  ['a text that is cut off', ['{"a":1}', '{"a":', '{"b":2}'], [{ a: 1 }, undefined, { b: 2 }]],
  ['an empty text', ['1', '', '2'], [1, undefined, 2]],
  ['texts that hold two values and none', ['1', '2,3', ''], [1, undefined, undefined]],
])('passes on %s as damaged, and the others', (_name, texts, entries) => {
  expect(parse(texts)).toEqual(entries);
});
