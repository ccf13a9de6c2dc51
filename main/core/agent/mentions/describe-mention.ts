import { AppError } from '../../../../shared/errors.ts';
import type { Mention } from '../../../../shared/model/message/mention.ts';
import { isMediaName } from '../../../../shared/paths/media-name.ts';
import { scanScene } from '../../../../shared/script/syntax/scan.ts';
import { escapePattern } from '../../../../shared/text/escape-pattern.ts';
import { shorten } from '../../../../shared/text/shorten.ts';
import type { TextFile } from '../../ports/reader.ts';
import { toFileKind } from '../../project/to-file-kind.ts';
import { numberLines, toNumberedPage, toTextLines } from '../../text/numbered-lines.ts';
import { describeCharacter } from './describe-character.ts';
import type { DescribedMention, MentionSource } from './mention-source.ts';

type MentionOf<K extends Mention['kind']> = Extract<Mention, { kind: K }>;

/** Lines before and after a problem. */
const PROBLEM_LINES = 4;
/** Places of use that are named for an asset. */
const MAX_USES = 20;
/** Characters of a line that uses an asset. */
const MAX_USE_LENGTH = 160;
/** Characters for the note of what is missing. */
const NOTE_ROOM = 120;
/** Largest text of which lines are shown. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Reads what a mention refers to. Throws an `AppError` when that is gone, closed or not a text. */
export function describeMention(
  mention: Mention,
  source: MentionSource,
  signal: AbortSignal,
): Promise<DescribedMention> {
  switch (mention.kind) {
    case 'scene':
      return describeScene(mention, source);
    case 'label':
      return describeLabel(mention, source);
    case 'character':
      return describeCharacter(mention.name, source, signal);
    case 'asset':
      return describeAsset(mention, source, signal);
    case 'selection':
      return describeSelection(mention, source);
    case 'problem':
      return describeProblem(mention, source);
  }
}

async function describeScene({ path }: MentionOf<'scene'>, source: MentionSource): Promise<DescribedMention> {
  const { lines, version } = await readLines(path, source);
  return {
    facts: { kind: 'scene', path, totalLines: lines.length },
    toContent: (room) => toPart(lines, { from: 1, to: lines.length }, room),
    seen: { path, version },
  };
}

/** The part of a scene from a label to the next one. */
async function describeLabel(
  { path, name, line }: MentionOf<'label'>,
  source: MentionSource,
): Promise<DescribedMention> {
  const { text, lines, version } = await readLines(path, source);
  const labels = scanScene(text).filter(({ command }) => command?.name === 'label');
  const found = labels
    .filter(({ content }) => content.trim() === name)
    .sort((one, other) => Math.abs(one.line + 1 - line) - Math.abs(other.line + 1 - line))[0];
  if (!found) throw new AppError('E_NOT_FOUND', `There is no label "${name}" in ${path} any more.`);
  const from = found.line + 1;
  const next = labels.find((label) => label.line > found.line);
  const to = next ? next.line : lines.length;
  return {
    facts: { kind: 'label', path, name, line: from, totalLines: lines.length },
    toContent: (room) => toPart(lines, { from, to }, room),
    seen: { path, version },
  };
}

/** The selected lines, where they stand now: at the place of the same text that is nearest to where it was. */
async function describeSelection(
  { path, line, text }: MentionOf<'selection'>,
  source: MentionSource,
): Promise<DescribedMention> {
  const { lines, version } = await readLines(path, source);
  const wanted = text.replaceAll('\r\n', '\n').replace(/\n$/, '');
  const from = findNearest(lines, wanted, line);
  if (from === null) {
    const note = 'The user selected this text; the file does not hold it any more.';
    return { facts: { kind: 'selection', path, line, note }, toContent: (room) => shorten(wanted, room) };
  }
  const to = from + wanted.split('\n').length - 1;
  const isPartOfLine = from === to && lines[from - 1] !== wanted;
  return {
    facts: { kind: 'selection', path, line: from, last: to, ...(isPartOfLine && { selected: wanted }) },
    toContent: (room) => toPart(lines, { from, to }, room),
    seen: { path, version },
  };
}

/** Returns the line (from 1) where a text begins, of several the one nearest to `line`. */
function findNearest(lines: readonly string[], wanted: string, line: number): number | null {
  const whole = lines.join('\n');
  const starts: number[] = [0];
  for (const each of lines) starts.push((starts.at(-1) ?? 0) + each.length + 1);
  const near = starts[line - 1] ?? whole.length;
  const after = wanted === '' ? -1 : whole.indexOf(wanted, near);
  const before = wanted === '' ? -1 : whole.lastIndexOf(wanted, near);
  const at = after < 0 || (before >= 0 && near - before < after - near) ? before : after;
  return at < 0 ? null : starts.findLastIndex((start) => start <= at) + 1;
}

async function describeProblem(
  { path, line, message }: MentionOf<'problem'>,
  source: MentionSource,
): Promise<DescribedMention> {
  const { lines, version } = await readLines(path, source);
  const from = Math.max(1, Math.min(line, lines.length) - PROBLEM_LINES);
  const to = Math.min(lines.length, line + PROBLEM_LINES);
  return {
    facts: { kind: 'problem', path, line, problem: message },
    toContent: (room) => toPart(lines, { from, to }, room),
    seen: { path, version },
  };
}

/** Path, kind and places of use of a file; its bytes are not read. */
async function describeAsset(
  { path }: MentionOf<'asset'>,
  { reader }: MentionSource,
  signal: AbortSignal,
): Promise<DescribedMention> {
  const info = await reader.stat(path);
  if (info === null || info.isDirectory) throw new AppError('E_NOT_FOUND', `There is no file ${path} any more.`);
  const name = path.replace(/^game\/[^/]+\/(?=.)/, '');
  const regex = escapePattern(name);
  const search = { path: 'game/scene', glob: '**/*.txt', regex, flags: '', maxMatches: MAX_USES + 1, signal };
  // Where the search fails, the place and kind of the file still help.
  const found = await reader.search(search).catch(() => null);
  const uses = found?.map(
    (use) => `${use.path}:${use.line}: ${use.preview.trim().slice(0, MAX_USE_LENGTH).toWellFormed()}`,
  );
  const shown = uses?.slice(0, MAX_USES) ?? [];
  const more = (uses?.length ?? 0) > MAX_USES ? [`… and more; search_files finds all.`] : [];
  return {
    facts: { kind: 'asset', path, type: toFileKind(path), name, bytes: info.bytes },
    toContent: (room) =>
      uses === undefined
        ? ''
        : shorten(uses.length === 0 ? 'No scene names this file.' : ['Used in:', ...shown, ...more].join('\n'), room),
  };
}

async function readLines(
  path: string,
  { reader }: MentionSource,
): Promise<{ text: string; lines: string[]; version: string }> {
  const info = await reader.stat(path);
  if (info === null || info.isDirectory) throw new AppError('E_NOT_FOUND', `There is no file ${path} any more.`);
  const file: TextFile = await reader.read(path, { maxBytes: MAX_BYTES });
  if (isMediaName(path) || file.text.includes('\0')) throw new AppError('E_UNSUPPORTED', `${path} is not a text.`);
  return { text: file.text, lines: toTextLines(file.text), version: file.version };
}

/** Lines as `read_file` shows them, and how to read the rest. */
function toPart(lines: readonly string[], { from, to }: { from: number; to: number }, room: number): string {
  const wanted = lines.slice(from - 1, to);
  const whole = numberLines(wanted, from);
  if (whole.length <= room) return whole;
  const { content, count, isTruncated } = toNumberedPage(wanted, {
    first: from,
    room: Math.max(NOTE_ROOM, room - NOTE_ROOM),
  });
  if (isTruncated && count >= wanted.length) return content;
  const next = from + count;
  return `${content}\n[Not shown: lines ${next}-${to}. Read on with read_file, offset ${next}.]`;
}
