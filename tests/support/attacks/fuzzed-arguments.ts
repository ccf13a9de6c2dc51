import fc from 'fast-check';
import type { Tool } from '../../../main/core/capability/define-tool.ts';
import type { ArgumentSchema } from '../../../main/core/capability/parsing/loose-input.ts';
import { parseInput, toArgumentSchema } from '../../../main/core/capability/parsing/parse-input.ts';
import { PLACE_ARGUMENTS } from '../../../shared/model/audit.ts';
import { anyCharacter } from '../any-character.ts';
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
const ANY_VALUE = fc.anything({ maxDepth: 2, withBigInt: true, withNullPrototype: true, withSparseArray: true });

const step = fc.constantFrom(
  ...['..', '.', '', 'game', 'scene', 'start.txt', 'away', 'self', 'secret.txt', '.git', 'config'],
);

/** Known hostile paths, paths of existing names, and arbitrary strings. */
const anyPath: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...PLACES, ...HOSTILE_PATHS),
  fc.array(step, { minLength: 1, maxLength: 7 }).map((steps) => steps.join('/')),
  fc.tuple(fc.constantFrom(...HOSTILE_PATHS), step).map((pair) => pair.join('/')),
  fc.string({ unit: anyCharacter, maxLength: 24 }),
);

const word = fc.oneof(anyPath, fc.constantFrom(...WORDS), fc.string({ unit: 'grapheme', maxLength: 20 }));

/** Returns values of a schema, with strings that may be paths, patterns and commands. */
function toFitting({ type, enum: options, items, minimum = -5, maximum = 100_000 }: Schema): fc.Arbitrary<unknown> {
  if (Array.isArray(options)) return fc.constantFrom(...options);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer' || type === 'number')
    return fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1, 0.5, -0);
  if (type === 'array') return fc.array(toFitting(items ?? {}), { maxLength: 4 });
  return word;
}

/** Returns arguments for a tool: mostly valid for its schema, sometimes with an invalid or additional one. */
export function toArguments(tool: Tool): fc.Arbitrary<unknown> {
  const schema = toArgumentSchema(tool);
  const entries = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const fitting = toFitting(property);
    return [name, fc.oneof({ weight: 25, arbitrary: fitting }, { weight: 1, arbitrary: ANY_VALUE })] as const;
  });
  const shaped = fc.record(Object.fromEntries(entries), { requiredKeys: [...(schema.required ?? [])] });
  const surplus = fc
    .tuple(shaped, fc.constantFrom(...KEYS), ANY_VALUE)
    .map(([input, key, value]) => Object.defineProperty({ ...input }, key, { value, enumerable: true }));
  const asText = shaped.map((input) => JSON.stringify(input, (_, value) => (typeof value === 'bigint' ? 1 : value)));
  return fc.oneof(
    { weight: 20, arbitrary: shaped as fc.Arbitrary<unknown> },
    { weight: 2, arbitrary: surplus },
    { weight: 1, arbitrary: asText },
    { weight: 1, arbitrary: ANY_VALUE },
  );
}

/** Returns the path arguments of a tool, found by calling it; each with a function from a path to a complete call. */
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
        // A tool may not report a path that only its reader checks against the policy.
        const isRead = PLACE_ARGUMENTS.has(name) && tool.needs.includes('reader');
        if (isRead || tool.paths(input).includes(MARKER)) found.push({ name, toInput });
      } catch {
        // The call is invalid, so this argument is not a path.
      }
    }
  }
  return found;
}
