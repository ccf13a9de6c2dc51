import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toLongLog } from '../../../../../tests/bench/projection.ts';
import { LogEvent } from '../log-events.ts';
import { toSameCheck } from './to-same-check.ts';

const isSame = toSameCheck(LogEvent);
const EVENTS = JSON.parse(JSON.stringify(toLongLog(40))) as object[];

describe('the check that saves a copy', () => {
  it('passes the events that the app writes', () => {
    expect(EVENTS.filter((event) => !isSame(event))).toEqual([]);
  });

  it('passes nothing that the schema refuses or changes', () => {
    const path = fc.array(fc.nat(5), { maxLength: 4 });
    const changes = fc.constantFrom('remove', 'add', 'replace');
    fc.assert(
      fc.property(fc.constantFrom(...EVENTS), path, changes, fc.jsonValue(), (event, places, change, value) => {
        const changed = structuredClone(event);
        alter(changed, places, change, value);
        if (!isSame(changed)) return;
        expect(LogEvent.safeParse(changed)).toEqual({ success: true, data: changed });
      }),
      { numRuns: 3000 },
    );
  });

  it.each<[z.ZodType, unknown]>([
    [z.object({ a: z.string().default('x') }), {}],
    [z.object({ a: z.string().catch('x') }), { a: 1 }],
    [z.object({ a: z.string().trim() }), { a: ' x' }],
    [z.object({ a: z.number().max(3) }), { a: 4 }],
    [z.object({ a: z.int() }), { a: 1.5 }],
    [z.object({ a: z.int() }), { a: 2 ** 53 }],
    [z.object({ a: z.number() }), JSON.parse('{"a":1e999}')],
    [z.object({ a: z.number() }), { a: '1' }],
    [z.object({ a: z.number().refine((value) => value > 1) }), { a: 1 }],
    [z.object({ a: z.literal('x') }), { a: 'y' }],
    [z.object({ a: z.literal('x').refine(() => false) }), { a: 'x' }],
    [z.object({ a: z.enum(['x', 'y']) }), { a: 'toString' }],
    [z.object({ a: z.enum(['x', 'y']).exclude(['y']) }), { a: 'y' }],
    [z.object({ a: z.array(z.string()).max(1) }), { a: ['x', 'y'] }],
    [z.object({ a: z.string().optional() }), { b: 1 }],
    [z.object({ a: z.string() }), JSON.parse('{"a":"x","__proto__":{}}')],
    [z.object({ a: z.string() }).refine(({ a }) => a !== 'x'), { a: 'x' }],
    [z.object({ a: z.email() }), { a: 'x' }],
    [z.strictObject({ a: z.string() }), { a: 'x', b: 1 }],
    [z.record(z.string(), z.string()), JSON.parse('{"__proto__":"x"}')],
    [z.record(z.enum(['a', 'b']), z.string()), { a: 'x' }],
    [z.record(z.string(), z.number()), { a: 'x' }],
    [z.object({ toString: z.string() }), {}],
  ])('leaves %# to the schema', (schema, value) => {
    expect(toSameCheck(schema)(value)).toBe(false);
  });
});

/** Changes one place of a value. */
function alter(value: unknown, places: readonly number[], change: string, by: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const keys = Object.keys(value);
  const key = keys[(places[0] ?? 0) % Math.max(1, keys.length)] ?? '0';
  const record = value as Record<string, unknown>;
  const child = record[key];
  const isDeeper = places.length > 1 && typeof child === 'object' && child !== null;
  if (isDeeper) alter(child, places.slice(1), change, by);
  // JSON has no arrays with holes.
  else if (change === 'remove' && Array.isArray(value)) value.splice(Number(key), 1);
  else if (change === 'remove') delete record[key];
  else record[change === 'add' && !Array.isArray(value) ? 'more' : key] = by;
}
