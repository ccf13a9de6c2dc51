import type { Range, TextEdit } from '../../model/diagnostic.ts';
import { isMisreadAsAddress } from '../../paths/address-name.ts';
import type { LineRecord } from '../syntax/analyze-line.ts';
import { findCommand } from '../syntax/commands.ts';
import type { Reference, ReferenceRole } from '../syntax/line-report.ts';
import type { SceneLines } from '../syntax/scene-lines.ts';
import { toFilePath } from './file-names.ts';
import { type ProjectIndex, SCENE_FOLDER, START_PATH } from './project-facts.ts';

export type SymbolKind = 'label' | 'variable' | 'speaker' | 'scene' | 'asset' | 'figure' | 'animation';

/** A named thing in scripts. A label belongs to one scene; `name` of a scene or an asset is its project path. */
export interface ScriptSymbol {
  kind: SymbolKind;
  name: string;
  /** The scene a label belongs to. */
  scene?: string;
}

/** A position in a script, 1-based. */
export interface ScriptPlace {
  path: string;
  line: number;
  column: number;
}

export type PlacedRange = Range & { path: string };

const KINDS: Partial<Record<ReferenceRole, SymbolKind>> = {
  label: 'label',
  jump: 'label',
  write: 'variable',
  input: 'variable',
  condition: 'variable',
  comparison: 'variable',
  calculation: 'variable',
  interpolation: 'variable',
  value: 'variable',
  scene: 'scene',
  asset: 'asset',
  figure: 'figure',
  target: 'figure',
  animation: 'animation',
};

/** The symbol at a position, with its range; null when there is none. */
export function symbolAt(index: ProjectIndex, place: ScriptPlace): { symbol: ScriptSymbol; range: PlacedRange } | null {
  const scene = index.scene(place.path);
  const at = scene?.toStatementPlace(place.line - 1, place.column - 1);
  const record = at && scene?.records[at.line];
  if (scene === undefined || at === undefined || record === undefined) return null;
  for (const { symbol, start, end } of symbolsOf(record, scene.path)) {
    if (at.column < start || at.column > end) continue;
    if (symbol.kind === 'variable' && !index.hasVariable(symbol.name)) continue;
    return { symbol, range: rangeIn(scene, at.line, { start, end }) };
  }
  return null;
}

/** The symbols of a line. Braces around an interpolated variable are not part of the range. */
function* symbolsOf(
  record: LineRecord,
  path: string,
): Generator<{ symbol: ScriptSymbol; start: number; end: number; role: ReferenceRole | 'speaker' }> {
  if (record.speaker !== null && record.speaker !== '' && !record.speaker.includes('{')) {
    yield {
      symbol: { kind: 'speaker', name: record.speaker },
      start: 0,
      end: record.text.indexOf(':'),
      role: 'speaker',
    };
  }
  for (const reference of record.references ?? []) {
    const kind = KINDS[reference.role];
    if (kind === undefined) continue;
    const inner = record.text.charAt(reference.start) === '{' ? 1 : 0;
    yield {
      symbol: toSymbol(kind, reference, path),
      start: reference.start + inner,
      end: reference.end - inner,
      role: reference.role,
    };
  }
}

function toSymbol(kind: SymbolKind, reference: Reference, path: string): ScriptSymbol {
  if (kind === 'label') return { kind, name: reference.name, scene: path };
  if (kind === 'scene') return { kind, name: toFilePath('scene', reference.name) };
  if (kind === 'asset') return { kind, name: toFilePath(reference.folder ?? '', reference.name) };
  return { kind, name: reference.name };
}

const isSame = (one: ScriptSymbol, other: ScriptSymbol): boolean =>
  one.kind === other.kind && one.name === other.name && one.scene === other.scene;

/** All references to a symbol, sorted by scene and line. */
export function referencesOf(index: ProjectIndex, symbol: ScriptSymbol): PlacedRange[] {
  return [...uses(index, symbol)].map((use) => use.range);
}

/**
 * Definitions of a symbol: the label, the assignments, the first line of a speaker. For a scene, an asset and an
 * animation it is the start of its file.
 */
export function definitionsOf(index: ProjectIndex, symbol: ScriptSymbol): PlacedRange[] {
  const file = toFile(symbol);
  if (file !== null) return index.files.has(file) ? [toRange(file, 0, { start: 0, end: 0 })] : [];
  if (symbol.kind === 'speaker') return findFirstLine(index, symbol);
  const roles: readonly (ReferenceRole | 'speaker')[] = ['label', 'write', 'input', 'figure'];
  const found = [...uses(index, symbol)].filter((use) => roles.includes(use.role)).map((use) => use.range);
  // The engine jumps to the last label of a name.
  return symbol.kind === 'label' ? found.slice(-1) : found;
}

/** The file that a symbol stands for; null for symbols that exist only in scripts. */
function toFile({ kind, name }: ScriptSymbol): string | null {
  if (kind === 'scene' || kind === 'asset') return name;
  return kind === 'animation' ? `game/animation/${name}.json` : null;
}

/** Prefers the start scene, where the story begins. */
function findFirstLine(index: ProjectIndex, symbol: ScriptSymbol): PlacedRange[] {
  const lines = referencesOf(index, symbol);
  const first = lines.find(({ path }) => path === START_PATH) ?? lines[0];
  return first === undefined ? [] : [first];
}

function* uses(
  index: ProjectIndex,
  symbol: ScriptSymbol,
): Generator<{ range: PlacedRange; role: ReferenceRole | 'speaker' }> {
  const scenes: readonly SceneLines[] =
    symbol.scene === undefined
      ? [...index.scenes()].sort((one, other) => (one.path < other.path ? -1 : 1))
      : [index.scene(symbol.scene)].filter((scene) => scene !== undefined);
  for (const scene of scenes) {
    for (const [line, record] of scene.records.entries()) {
      if (record.references === null && record.speaker === null) continue;
      for (const use of symbolsOf(record, scene.path)) {
        if (isSame(use.symbol, symbol)) yield { range: rangeIn(scene, line, use), role: use.role };
      }
      if (symbol.kind !== 'speaker') continue;
      // Before a full-width colon, which is told as a mistake: it is the speaker all the same.
      for (const { role, name } of record.references ?? []) {
        if (role !== 'maybe-speaker' || name !== symbol.name) continue;
        const start = record.text.indexOf(name);
        yield { range: rangeIn(scene, line, { start, end: start + name.length }), role };
      }
    }
  }
}

/** The range of a span of a record: a statement can extend over several lines. */
function rangeIn(scene: SceneLines, line: number, span: { start: number; end: number }): PlacedRange {
  const from = scene.placeOf(line, span.start, 'start');
  const to = scene.placeOf(line, span.end, 'end');
  return {
    path: scene.path,
    line: from.line + 1,
    column: from.column + 1,
    endLine: to.line + 1,
    endColumn: to.column + 1,
  };
}

function toRange(path: string, line: number, span: { start: number; end: number }): PlacedRange {
  return { path, line: line + 1, column: span.start + 1, endLine: line + 1, endColumn: span.end + 1 };
}

/** Edits by project path, and the move of the scene file when a scene is renamed. */
export interface Renaming {
  edits: ReadonlyMap<string, readonly TextEdit[]>;
  move?: { from: string; to: string };
}

/** Why a new name is refused; pages show `errors:rename.<reason>`. */
export type RenameProblem = 'empty' | 'unusable' | 'taken' | 'not-renamable' | 'unreadable';

/**
 * Renames a symbol everywhere. Refuses names with another meaning and names that are in use, because renaming must not
 * merge two symbols.
 */
export function renameSymbol(
  index: ProjectIndex,
  symbol: ScriptSymbol,
  name: string,
): Renaming | { problem: RenameProblem } {
  const problem = findProblem(index, symbol, name);
  if (problem !== null) return { problem };
  const edits = new Map<string, TextEdit[]>();
  const newText = symbol.kind === 'scene' ? name.slice(SCENE_FOLDER.length) : name;
  for (const { path, ...range } of referencesOf(index, symbol)) {
    const list = edits.get(path) ?? [];
    list.push({ ...range, newText });
    edits.set(path, list);
  }
  return { edits, ...(symbol.kind === 'scene' && { move: { from: symbol.name, to: name } }) };
}

/**
 * Renames a label in its scene and in every other scene that has a label of that name. Labels are local to a scene, so
 * the edits of any scene can be left out. Scenes in which the new name is in use are skipped.
 */
export function renameLabel(
  index: ProjectIndex,
  symbol: ScriptSymbol,
  name: string,
): Renaming | { problem: RenameProblem } {
  const own = renameSymbol(index, symbol, name);
  if ('problem' in own) return own;
  const edits = new Map(own.edits);
  for (const { path, records } of index.scenes()) {
    if (path === symbol.scene || !records.some((record) => isLabelled(record, symbol.name))) continue;
    const other = renameSymbol(index, { ...symbol, scene: path }, name);
    if ('problem' in other) continue;
    for (const [file, list] of other.edits) edits.set(file, list);
  }
  return { edits };
}

function isLabelled(record: LineRecord, name: string): boolean {
  return record.references?.some((reference) => reference.role === 'label' && reference.name === name) ?? false;
}

function findProblem(index: ProjectIndex, symbol: ScriptSymbol, name: string): RenameProblem | null {
  if (name.trim() === '' || name !== name.trim()) return 'empty';
  if (/[\n\r;|:{}\\]| -/.test(name)) return 'unusable';
  if (symbol.name === name) return null;
  switch (symbol.kind) {
    case 'label':
      if (name.includes('.') || name.includes('->') || name === 'none') return 'unusable';
      return referencesOf(index, { ...symbol, name }).length > 0 ? 'taken' : null;
    case 'variable':
      if (
        !/^[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*$/.test(name) ||
        /^(true|false|random|hasOwnProperty|__proto__)$/.test(name)
      )
        return 'unusable';
      return index.hasVariable(name) ? 'taken' : null;
    case 'speaker':
      if (findCommand(name) !== undefined) return 'unusable';
      return index.speakers.has(name) ? 'taken' : null;
    case 'scene':
      // The engine starts with this name.
      if (symbol.name === START_PATH) return 'not-renamable';
      if (!name.startsWith(SCENE_FOLDER) || !/^[^<>"?*]+\.[^./<>"?*]+$/.test(name) || name.includes('..'))
        return 'unusable';
      // Files whose name begins with a dot are hidden, and not listed.
      if (name.includes('/.') || isMisreadAsAddress(name)) return 'unusable';
      // On Windows and macOS names that differ only in case are the same file: the move would delete it.
      return index.files.inAnyCase(name) === undefined ? null : 'taken';
    case 'figure':
      if (/[\s=]/.test(name)) return 'unusable';
      return index.figures.has(name) ? 'taken' : null;
    default:
      return 'not-renamable';
  }
}
