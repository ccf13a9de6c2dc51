import fc from 'fast-check';
import type { Tool } from '../../main/core/capability/define-tool.ts';
import type { ArgumentSchema } from '../../main/core/capability/runner/loose-input.ts';
import { parseInput, toArgumentSchema } from '../../main/core/capability/runner/parse-input.ts';
import { PLACE_ARGUMENTS } from '../../shared/model/audit.ts';
import { HOSTILE_PATHS } from './hostile-paths.ts';

type Schema = ArgumentSchema & { minimum?: number; maximum?: number; pattern?: string };

const MARKER = 'game/marker/marker.txt';
const PLACES = ['.', 'game', 'game/scene', 'game/scene/start.txt', 'game/away/secret.txt', 'game/scene/leak.txt'];
const WORDS = [
  '(',
  '(?i)x',
  '/x/gi',
  '.*',
  '**',
  '{a,b}',
  '\ud800',
  '$&',
  '__proto__',
  'constructor',
  '#start',
  'CANARY',
];
const KEYS = ['__proto__', 'constructor', 'toString', 'prototype', 'hasOwnProperty', 'signal', 'root', 'cwd'];
const ODD = fc.anything({ maxDepth: 2, withBigInt: true, withNullPrototype: true, withSparseArray: true });

const step = fc.constantFrom(
  ...['..', '.', '', 'game', 'scene', 'start.txt', 'away', 'self', 'secret.txt', '.git', 'config'],
);

/** Paths: those known to be hostile, those made up of names that are there, and any letters. */
const anyPath: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...PLACES, ...HOSTILE_PATHS),
  fc.array(step, { minLength: 1, maxLength: 7 }).map((steps) => steps.join('/')),
  fc.tuple(fc.constantFrom(...HOSTILE_PATHS), step).map((pair) => pair.join('/')),
  fc.string({ unit: 'binary', maxLength: 24 }),
);

const word = fc.oneof(anyPath, fc.constantFrom(...WORDS), fc.string({ unit: 'grapheme', maxLength: 20 }));

/** What a schema asks for, with words that may be paths, patterns and orders. */
function toFitting({ type, enum: options, items, minimum = -5, maximum = 100_000 }: Schema): fc.Arbitrary<unknown> {
  if (Array.isArray(options)) return fc.constantFrom(...options);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer' || type === 'number')
    return fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1, 0.5, -0);
  if (type === 'array') return fc.array(toFitting(items ?? {}), { maxLength: 4 });
  return word;
}

/** Arguments for a tool: mostly of its schema's shape, now and then one of them junk or one too many. */
export function toArguments(tool: Tool): fc.Arbitrary<unknown> {
  const schema = toArgumentSchema(tool);
  const entries = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const fitting = toFitting(property);
    return [name, fc.oneof({ weight: 25, arbitrary: fitting }, { weight: 1, arbitrary: ODD })] as const;
  });
  const shaped = fc.record(Object.fromEntries(entries), { requiredKeys: [...(schema.required ?? [])] });
  const surplus = fc
    .tuple(shaped, fc.constantFrom(...KEYS), ODD)
    .map(([input, key, value]) => Object.defineProperty({ ...input }, key, { value, enumerable: true }));
  const asText = shaped.map((input) => JSON.stringify(input, (_, value) => (typeof value === 'bigint' ? 1 : value)));
  return fc.oneof(
    { weight: 20, arbitrary: shaped as fc.Arbitrary<unknown> },
    { weight: 2, arbitrary: surplus },
    { weight: 1, arbitrary: asText },
    { weight: 1, arbitrary: ODD },
  );
}

/** The arguments of a tool that name a place, found by asking the tool; each as a function from a path to a whole call. */
export function findPathArguments(tool: Tool): { name: string; toInput: (path: string) => unknown }[] {
  const schema = toArgumentSchema(tool);
  const found: { name: string; toInput: (path: string) => unknown }[] = [];
  for (const example of [...tool.examples, {}]) {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (found.some((one) => one.name === name)) continue;
      const toInput = (path: string) => ({
        ...(example as object),
        [name]: property.type === 'array' ? [path] : path,
      });
      try {
        const input = parseInput(tool, schema, { input: toInput(MARKER), isStrict: false });
        // A tool can keep a place from the policy that its reader alone decides on.
        const isRead = PLACE_ARGUMENTS.has(name) && tool.needs.includes('reader');
        if (isRead || tool.paths(input).includes(MARKER)) found.push({ name, toInput });
      } catch {
        // Not a call of this tool's shape, so not where a path would go.
      }
    }
  }
  return found;
}
