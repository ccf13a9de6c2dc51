import { AppError, toErrorData } from '../../../shared/errors.ts';
import { isAssetName } from '../../../shared/model/asset/asset.ts';
import { MAX_ISSUES, type PatchOperation } from '../../../shared/model/plan/patch.ts';
import { toProjectPath } from '../../../shared/paths/project-path.ts';
import { BYTE_ORDER_MARK, keepUniformEndings } from '../../../shared/text/line-endings.ts';
import { foldPath, refuseCaseTwins } from '../capability/runner/refuse-case-twins.ts';
import type { Reader } from '../ports/reader.ts';
import { readIfThere } from '../proposal/text-change.ts';
import { toTextLines } from '../text/numbered-lines.ts';
import { toCodePoint } from './rules/line-issues.ts';
import { toIssue } from './to-issue.ts';

/** A text that operations make. Null: no file. */
export interface ComposedText {
  path: string;
  before: string | null;
  after: string | null;
  /** The version of the text before; null: no file, or one that an earlier step makes. */
  base: string | null;
  /** The previous path of a renamed file. */
  from?: string;
}

/** Texts by project path. Null: there is no file; undefined: it was not read, or is no text. */
export type Texts = ReadonlyMap<string, KnownText | undefined>;
export interface KnownText {
  text: string | null;
  version: string | null;
  /** A file whose path differs only in case or Unicode form: where there is none at this path, none can be made. */
  twin?: string;
}

export interface Composition {
  /** In the order of their first change; empty when there are issues. */
  changes: ComposedText[];
  /** Why the operations do not fit the texts. */
  issues: string[];
}

const READ_AT_ONCE = 16;

/** Reads every text that the operations name. Paths that are none, and files that are no text, are left out. */
export async function readPatchTexts(
  operations: Iterable<PatchOperation>,
  reader: Reader,
): Promise<Map<string, KnownText | undefined>> {
  const named = new Set<string>();
  for (const operation of operations) {
    for (const given of [operation.path, ...('to' in operation ? [operation.to] : [])]) {
      const path = toKnownPath(given);
      if (path !== null) named.add(path);
    }
  }
  const texts = new Map<string, KnownText | undefined>();
  const paths = [...named];
  // Several at once: one after the other, most of the time of a plan would be waiting for the disk.
  for (let index = 0; index < paths.length; index += READ_AT_ONCE) {
    const some = paths.slice(index, index + READ_AT_ONCE);
    const files = await Promise.all(some.map((path) => readKnown(reader, path)));
    for (const [at, path] of some.entries()) texts.set(path, files[at]);
  }
  return texts;
}

/** Undefined for what is no text. */
async function readKnown(reader: Reader, path: string): Promise<KnownText | undefined> {
  if (isAssetName(path)) return undefined;
  const file = await readIfThere(reader, path).catch(() => undefined);
  if (file === null) return { text: null, version: null, ...(await findTwin(reader, path)) };
  return file && { text: file.text, version: file.version };
}

async function findTwin(reader: Reader, path: string): Promise<Pick<KnownText, 'twin'>> {
  try {
    await refuseCaseTwins(reader, path);
    return {};
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'path.twin') throw error;
    return { twin: String(error.details?.existing) };
  }
}

/** Returns the normalised path; null for one that no file of the game can have. */
export function toKnownPath(path: string): string | null {
  try {
    return toProjectPath(path);
  } catch (error) {
    if (toErrorData(error).code !== 'E_DENY_PATH') throw error;
    return null;
  }
}

/** Returns the texts that the operations make, in their order, of those in `texts`. All of them fit, or none is made. Pure. */
export function composePatch(operations: readonly PatchOperation[], texts: Texts): Composition {
  const open = new Map<string, OpenText>();
  const issues: string[] = [];
  for (const operation of operations) {
    const issue = apply(operation, open, texts);
    if (issue !== null && issues.length < MAX_ISSUES) issues.push(issue);
  }
  if (issues.length > 0) return { changes: [], issues };
  const changes = [...open.values()].map(toComposed).filter(({ before, after }) => before !== after);
  return { changes, issues };
}

/** A text while operations change it: its lines, each with its carriage return; null: no file. */
interface OpenText {
  path: string;
  before: string | null;
  base: string | null;
  lines: string[] | null;
  from?: string;
}

/** Applies one operation. Returns an issue when it does not fit. */
function apply(operation: PatchOperation, open: Map<string, OpenText>, texts: Texts): string | null {
  const path = toKnownPath(operation.path);
  if (path === null) return toIssue('path', operation.path);
  const broken = toTexts(operation).find((text) => !text.isWellFormed());
  if (broken !== undefined) return toIssue('character', toCodePoint(broken, LONE_SURROGATE));
  const file = openText(path, open, texts);
  if (file === null) return toIssue('unread', path);
  if (operation.op === 'create') {
    const other = file.lines === null ? findOther(path, open, texts) : path;
    if (other !== undefined) return toIssue('exists', other);
    file.lines = operation.text.split('\n');
    return null;
  }
  if (file.lines === null) return toIssue('missing', path);
  switch (operation.op) {
    case 'insert':
    case 'replace':
      return changeLines(operation, path, file.lines);
    case 'config':
      return setKey(operation, path, file.lines);
    case 'delete':
    case 'rename':
      if (!startsWith(file.lines, toTextLines(operation.expect))) return toIssue('expect', path);
      return operation.op === 'delete' ? remove(file) : move(file, operation.to, open, texts);
  }
}

function openText(path: string, open: Map<string, OpenText>, texts: Texts): OpenText | null {
  const known = open.get(path);
  if (known) return known;
  const found = texts.get(path);
  if (found === undefined) return null;
  const { text, version } = found;
  const lines = text === null ? null : withoutMark(text).split('\n');
  const file = { path, before: text, base: version, lines };
  open.set(path, file);
  return file;
}

/** Half of a character, which no file can hold. */
const LONE_SURROGATE = /\p{Cs}/u;

function toTexts(operation: PatchOperation): string[] {
  if (operation.op === 'config') return [operation.key, operation.value ?? ''];
  return 'text' in operation ? [operation.text] : [];
}

/** Returns a file that a new one would replace on systems that ignore case and Unicode form, those of this plan included. */
function findOther(path: string, open: ReadonlyMap<string, OpenText>, texts: Texts): string | undefined {
  const known = texts.get(path)?.twin;
  if (known !== undefined) return known;
  const folded = foldPath(path);
  for (const [other, found] of texts) {
    const now = open.get(other);
    const isThere = now ? now.lines !== null : typeof found?.text === 'string';
    if (isThere && other !== path && foldPath(other) === folded) return other;
  }
  return undefined;
}

function remove(file: OpenText): null {
  file.lines = null;
  return null;
}

function move(file: OpenText, given: string, open: Map<string, OpenText>, texts: Texts): string | null {
  const to = toKnownPath(given);
  if (to === null) return toIssue('path', given);
  const target = openText(to, open, texts);
  if (target === null) return toIssue('unread', to);
  const other = target.lines === null ? findOther(to, open, texts) : to;
  if (other !== undefined) return toIssue('exists', other);
  target.lines = file.lines;
  target.from = file.path;
  return remove(file);
}

function changeLines(
  { op, expect, text, line }: Extract<PatchOperation, { op: 'insert' | 'replace' }>,
  path: string,
  lines: string[],
): string | null {
  const sought = toTextLines(expect);
  const added = text === '' ? [] : toTextLines(text);
  if (sought.length === 0) {
    if (op === 'replace') return toIssue('expect', path);
    lines.splice(0, 0, ...added);
    return null;
  }
  const places = findPlaces(lines, sought);
  const place = places.length === 1 ? places[0] : places.find((at) => at + 1 === line);
  if (places.length === 0) return toIssue('expect', `${path} ${sought[0]}`);
  if (place === undefined) return toIssue('ambiguous', `${path} ${sought[0]}`);
  const end = place + sought.length;
  if (op === 'replace') lines.splice(place, sought.length, ...added);
  // After a last line without a line break the new lines end with one, as those of `insert_at_line` do.
  else lines.splice(end, 0, ...added, ...(end === lines.length && added.length > 0 ? [''] : []));
  return null;
}

/** Returns the indices at which the sought lines begin; stops at the second that cannot be the only one. */
function findPlaces(lines: readonly string[], sought: readonly string[]): number[] {
  const places: number[] = [];
  for (let at = 0; at + sought.length <= lines.length; at += 1) if (isAt(lines, sought, at)) places.push(at);
  return places;
}

function startsWith(lines: readonly string[], sought: readonly string[]): boolean {
  return isAt(lines, sought, 0);
}

function isAt(lines: readonly string[], sought: readonly string[], at: number): boolean {
  return sought.every((line, index) => {
    const there = lines[at + index];
    return there === line || there === `${line}\r`;
  });
}

function setKey(
  { key, expect, value }: Extract<PatchOperation, { op: 'config' }>,
  path: string,
  lines: string[],
): string | null {
  const at = lines.findLastIndex((line) => toEntry(line)?.key === key);
  const now = at < 0 ? null : (toEntry(lines[at] ?? '')?.value ?? '');
  if (now !== expect) return toIssue('expect', `${path} ${key}`);
  if (at >= 0) lines.splice(at, 1, ...(value === null ? [] : [`${key}:${value};`]));
  else if (value !== null) lines.splice(lines.at(-1) === '' ? lines.length - 1 : lines.length, 0, `${key}:${value};`);
  return null;
}

/** Reads a line of the settings file as `Key:value;`. */
function toEntry(line: string): { key: string; value: string } | null {
  const colon = line.indexOf(':');
  if (colon < 0) return null;
  const end = line.indexOf(';', colon);
  return { key: line.slice(0, colon).trim(), value: line.slice(colon + 1, end < 0 ? undefined : end).trim() };
}

function toComposed({ path, before, base, lines, from }: OpenText): ComposedText {
  const head = { path, before, base, ...(from !== undefined && { from }) };
  if (lines === null) return { ...head, after: null };
  if (before === null) return { ...head, after: lines.join('\n') };
  const mark = before.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  return { ...head, after: mark + keepUniformEndings(before, lines.join('\n')) };
}

function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}
