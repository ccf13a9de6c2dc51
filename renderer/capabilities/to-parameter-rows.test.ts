import { expect, test } from 'vitest';
import { toParameterRows } from './to-parameter-rows.ts';

const row = { values: [], isNeeded: false, description: null };

test('names the kind of each argument, and whether it is needed', () => {
  const { rows, more } = toParameterRows({
    type: 'object',
    required: ['path'],
    properties: {
      path: { type: 'string', description: 'Where.' },
      count: { type: 'integer' },
      level: { enum: ['info', 'error'] },
      names: { type: 'array', items: { type: 'string' } },
      flag: { type: ['boolean', 'null'] },
      either: { anyOf: [{ type: 'null' }, { type: 'number' }], description: 'One.' },
      open: {},
    },
  });
  expect(more).toBe(0);
  expect(rows).toEqual([
    { ...row, name: 'path', kind: 'text', isNeeded: true, description: 'Where.' },
    { ...row, name: 'count', kind: 'integer' },
    { ...row, name: 'level', kind: 'choice', values: ['info', 'error'] },
    { ...row, name: 'names', kind: 'list', of: 'text' },
    { ...row, name: 'flag', kind: 'boolean' },
    { ...row, name: 'either', kind: 'number', description: 'One.' },
    { ...row, name: 'open', kind: 'any' },
  ]);
});

test('shows what is inside of a group under its name, to a depth', () => {
  const nest = (depth: number): object =>
    depth === 0 ? { type: 'string' } : { type: 'object', properties: { a: nest(depth - 1) } };
  const { rows } = toParameterRows({ properties: { filter: nest(9) } });
  expect(rows.map(({ name }) => name)).toEqual(['filter', 'filter.a', 'filter.a.a', 'filter.a.a.a']);
});

test('counts what it leaves out, and reads anything', () => {
  const many = Object.fromEntries(Array.from({ length: 130 }, (_, at) => [`p${at}`, { type: 'string' }]));
  expect(toParameterRows({ properties: many })).toMatchObject({ rows: { length: 100 }, more: 30 });
  for (const odd of [null, 7, [], { properties: [] }, { properties: { a: null }, required: 'a' }]) {
    expect(() => toParameterRows(odd)).not.toThrow();
  }
});
