import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createJsonScanner, parseBoundedJson } from './bounded-json.ts';

const BOUNDS = { depth: 32, members: 1_000 };

test('parses what JSON.parse parses, whatever brackets and quotes its strings hold', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.string(), (value, text) => {
      const json = JSON.stringify({ value, text, [text]: [text, '{[[[[', '\\"', '"\\\\'] }, null, 1);
      expect(parseBoundedJson(json, { depth: 64, members: 1e6 })).toEqual(JSON.parse(json));
    }),
  );
});

test.each([
  ['deep lists', `${'['.repeat(33)}${']'.repeat(33)}`],
  ['deep lists without an end', '['.repeat(4_000_000)],
  ['deep objects', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
  ['many members of a list', `[${'1,'.repeat(1_000)}1]`],
  ['many names', `{${Array.from({ length: 1_001 }, (_, index) => `"n${index}":1`).join(',')}}`],
  ['a string without an end', '"[[[['],
  ['a string that ends with a slash', '{"a":"\\"'],
  ['no JSON', 'words'],
])('refuses %s', (_, text) => {
  expect(() => parseBoundedJson(text, BOUNDS)).toThrow(SyntaxError);
});

test('counts levels that are open at once, not those one after another', () => {
  const text = `[${Array.from({ length: 400 }, () => '[]').join(',')}]`;
  expect(parseBoundedJson(text, BOUNDS)).toHaveLength(400);
});

test('brackets in strings are text', () => {
  expect(parseBoundedJson(JSON.stringify({ text: '['.repeat(500) }), BOUNDS)).toEqual({ text: '['.repeat(500) });
});

test('of a stream, each event counts for itself, and a quote in a comment hides nothing', () => {
  const scan = (text: string) => createJsonScanner(BOUNDS, { isStream: true }).scan(new TextEncoder().encode(text));
  const event = `data: [${'1,'.repeat(600)}1]`;
  expect(() => scan(`${event}\n\n${event}\r\n\r\n${event}\n\n`)).not.toThrow();
  expect(() => scan(`${event}\n${event}\n\n`)).toThrow('more than 1000 members');
  expect(() => scan(`${event}\r\r${event}\r\r`)).not.toThrow();
  expect(() => scan(`${event}\r\n${event}\r\n\r\n`)).toThrow('more than 1000 members');
  expect(() => scan(`: "\rdata: ${'['.repeat(40)}\r\r`)).toThrow('deeper than 32');
  expect(() => scan(`: it is 5" long\ndata: ${'['.repeat(40)}\n\n`)).toThrow('deeper than 32');
});

test('counts what arrives in pieces', () => {
  const bytes = new TextEncoder().encode(JSON.stringify({ a: '\\"[[', b: ['雨', '"'] }));
  const scanner = createJsonScanner({ depth: 2, members: 4 });
  expect(() => bytes.forEach((byte) => void scanner.scan(Uint8Array.of(byte)))).not.toThrow();
  const narrow = createJsonScanner({ depth: 2, members: 3 });
  expect(() => bytes.forEach((byte) => void narrow.scan(Uint8Array.of(byte)))).toThrow('more than 3');
});
