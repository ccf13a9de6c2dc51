import { AppError } from '../../../../shared/errors.ts';
import { refusalText } from '../../../../shared/i18n/refusals.ts';
import type { LocalText } from '../../../../shared/model/local-text.ts';
import type { ArgumentSchema } from '../parsing/loose-input.ts';
import { toPlainLine } from './plain-text.ts';

/** A schema that the app made from a provider's: a tree without references, patterns and unknown keywords. */
export type BoundedSchema = ArgumentSchema & Record<string, unknown>;

/** Bounds of a schema; the largest that official servers have is a fifth of each. */
const MAX_NODES = 2000;
const MAX_DEPTH = 24;
const MAX_DESCRIPTION = 400;
/** Characters of all descriptions together; later ones are dropped. */
const MAX_WORDS = 12_000;
/**
 * Characters of everything that a provider wrote and that stays: names, values and descriptions. Each reference to a part counts the part
 * again, as it is written out again.
 */
const MAX_CHARACTERS = 32_000;
const MAX_ENTRIES = 500;
const MAX_NAME = 100;

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
const WORDS = ['title', 'description'];
const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf'] as const;

interface Walk {
  root: unknown;
  nodes: number;
  words: number;
  characters: number;
  /** References that are being replaced by what they name. */
  open: Set<string>;
}

/**
 * Makes a schema of bounded size from any JSON. References within it are replaced by what they name, where they recur by “anything”;
 * keywords that cost more than linear time (`pattern`, `uniqueItems` …) are dropped, so the provider may refuse more than the
 * app does. Throws `E_BAD_ARGS` with reason `provider.badSchema` for a schema that is too large, too deep or has other references.
 */
export function toBoundedSchema(raw: unknown): BoundedSchema {
  const walk: Walk = { root: raw, nodes: 0, words: 0, characters: 0, open: new Set() };
  const schema = isRecord(raw) ? toNode(raw, walk, 0) : {};
  return { ...schema, type: 'object' };
}

function toNode(raw: unknown, walk: Walk, depth: number): BoundedSchema {
  walk.nodes += 1;
  if (walk.nodes > MAX_NODES) throw refused(refusalText('schema.parts', { most: MAX_NODES }));
  if (depth > MAX_DEPTH) throw refused(refusalText('schema.deep', { most: MAX_DEPTH }));
  // `true` and what is no schema accept anything; `false` accepts nothing.
  if (!isRecord(raw)) return raw === false ? { not: {} } : {};
  // One object that all parts are written to: programs that connect at once have thousands of nodes.
  const node: BoundedSchema = {};
  addOwnKeywords(node, raw, walk);
  if (raw.$ref !== undefined) return { ...toReferenced(raw.$ref, walk, depth), ...node };
  addMembers(node, raw, { walk, depth });
  addEntries(node, raw, { walk, depth });
  addAlternatives(node, raw, { walk, depth });
  return node;
}

function toReferenced(reference: unknown, walk: Walk, depth: number): BoundedSchema {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference) || reference.length > 500) {
    throw refused(refusalText('schema.other'));
  }
  if (walk.open.has(reference)) return {};
  let target: unknown = walk.root;
  for (const step of reference.slice(2).split('/').filter(Boolean)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    target = isRecord(target) && Object.hasOwn(target, name) ? target[name] : undefined;
  }
  if (target === undefined) throw refused(refusalText('schema.missing'));
  walk.open.add(reference);
  const node = toNode(target, walk, depth + 1);
  walk.open.delete(reference);
  return node;
}

/** Counts what stays in the schema. Throws when it is too much. */
function spend(walk: Walk, kept: readonly unknown[]): void {
  for (const each of kept) walk.characters += String(each).length;
  if (walk.characters > MAX_CHARACTERS) throw refused(refusalText('schema.long', { most: MAX_CHARACTERS }));
}

/** Adds the keywords that hold no schema. */
function addOwnKeywords(node: Record<string, unknown>, raw: Record<string, unknown>, walk: Walk): void {
  const types = Array.isArray(raw.type) ? raw.type.slice(0, TYPES.size).filter((each) => TYPES.has(each)) : raw.type;
  if (Array.isArray(types) ? types.length > 0 : TYPES.has(types)) node.type = types;
  if (Array.isArray(raw.enum)) {
    const values = raw.enum.slice(0, MAX_ENTRIES).filter(isSmallScalar);
    // A list with other values accepts what the app does not know.
    if (values.length === raw.enum.length && values.length > 0) node.enum = [...new Set(values)];
  }
  if (isSmallScalar(raw.const)) node.const = raw.const;
  if (isSmallScalar(raw.default)) node.default = raw.default;
  for (const name of COUNTS) if (Number.isSafeInteger(raw[name]) && Number(raw[name]) >= 0) node[name] = raw[name];
  for (const name of NUMBERS) if (typeof raw[name] === 'number' && Number.isFinite(raw[name])) node[name] = raw[name];
  for (const name of WORDS) {
    const text = typeof raw[name] === 'string' ? toPlainLine(raw[name], MAX_DESCRIPTION) : '';
    walk.words += text.length;
    if (text !== '' && walk.words <= MAX_WORDS) node[name] = text;
  }
  spend(walk, Object.values(node).flat());
}

interface Place {
  walk: Walk;
  depth: number;
}

function addMembers(node: Record<string, unknown>, raw: Record<string, unknown>, { walk, depth }: Place): void {
  if (isRecord(raw.properties)) {
    const names = Object.keys(raw.properties);
    if (names.length > MAX_ENTRIES) throw refused(refusalText('schema.arguments', { most: MAX_ENTRIES }));
    const members: Record<string, unknown> = {};
    for (const name of names) {
      if (name.length > MAX_NAME || name === '__proto__') throw refused(refusalText('schema.argument'));
      spend(walk, [name]);
      members[name] = toNode(raw.properties[name], walk, depth + 1);
    }
    node.properties = members;
  }
  if (Array.isArray(raw.required)) {
    const names = raw.required
      .slice(0, MAX_ENTRIES)
      .filter((name) => typeof name === 'string' && name.length <= MAX_NAME);
    node.required = [...new Set(names)];
    spend(walk, names);
  }
  // Names that fit a pattern are not known here, so other names cannot be refused.
  if (raw.additionalProperties !== undefined && raw.patternProperties === undefined) {
    const { additionalProperties: others } = raw;
    node.additionalProperties = typeof others === 'boolean' ? others : toNode(others, walk, depth + 1);
  }
}

function addEntries(node: Record<string, unknown>, raw: Record<string, unknown>, { walk, depth }: Place): void {
  const first = Array.isArray(raw.items) ? raw.items : raw.prefixItems;
  if (Array.isArray(first) && first.length > 0) {
    node.prefixItems = first.slice(0, MAX_ENTRIES).map((entry) => toNode(entry, walk, depth + 1));
  }
  if (raw.items !== undefined && !Array.isArray(raw.items)) node.items = toNode(raw.items, walk, depth + 1);
}

function addAlternatives(node: Record<string, unknown>, raw: Record<string, unknown>, { walk, depth }: Place): void {
  for (const name of ALTERNATIVES) {
    const list = raw[name];
    if (Array.isArray(list) && list.length > 0) node[name] = list.map((entry) => toNode(entry, walk, depth + 1));
  }
  if (raw.not !== undefined) node.not = toNode(raw.not, walk, depth + 1);
}

function isSmallScalar(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= MAX_DESCRIPTION;
  return value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refused(why: LocalText): AppError {
  return new AppError('E_BAD_ARGS', `The description of its arguments cannot be used: ${why.en}.`, {
    details: { why },
    reason: 'provider.badSchema',
  });
}
