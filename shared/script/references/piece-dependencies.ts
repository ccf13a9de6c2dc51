import { countPieces, type PieceChoice, type PiecedFile, toEditableText } from '../../text/pieces.ts';
import type { Engine } from '../engine/engine.ts';
import { toFilePath } from '../project-index/file-names.ts';
import { analyzeLine } from '../syntax/analyze-line.ts';

/** A piece of a proposal. */
export interface PiecePlace {
  path: string;
  hunk: number;
}

type Kind = 'label' | 'scene' | 'variable';

/**
 * A name that the chosen part of a proposal uses, but that only pieces outside of it provide, or that a chosen piece takes away while
 * others still use it. `name` of a scene is its project path. `move`: a renamed scene is removed, and its new file is not chosen.
 */
export interface PieceDependency {
  kind: Kind | 'move';
  name: string;
  /** The chosen piece that needs them. */
  by: PiecePlace;
  /** The pieces that must be chosen too. */
  needs: PiecePlace[];
}

export interface DependencyOptions {
  engine: Engine;
  /** Whether the game sets a variable anywhere with the chosen part applied. */
  isVariableSet: (name: string) => boolean;
}

/** Dependencies that are listed; the user takes them one after the other. */
const MAX_DEPENDENCIES = 50;

/** How often lines define a name and use it. */
interface Count {
  defined: number;
  used: number;
}

/** What pieces do to a name: by how much each changes its counts. */
interface NameInPieces {
  kind: Kind;
  name: string;
  path: string;
  pieces: { place: PiecePlace; isTaken: boolean; old: Count; now: Count }[];
}

export interface ChosenFile {
  path: string;
  /** `from`: the path before a rename; that file is among the files, removed. */
  file: PiecedFile & { from?: string | undefined };
  choice: PieceChoice;
}

/**
 * Finds what the chosen pieces of a proposal need of the others. A name counts as missing if the part uses it and nothing provides it,
 * while the whole proposal has it, or does not use it. Costs about one scan of the changed files. Pure.
 */
export function findPieceDependencies(files: readonly ChosenFile[], options: DependencyOptions): PieceDependency[] {
  const found = findHalfMoves(files);
  const names = collectNames(files, options.engine);
  if (names.size === 0) return found;
  const before = countBefore(files, names, options.engine);
  for (const [key, entry] of names) {
    const dependency = toDependency(entry, before.get(key) ?? { defined: 0, used: 0 }, options);
    if (dependency !== null) found.push(dependency);
    if (found.length >= MAX_DEPENDENCIES) break;
  }
  return found;
}

/** Finds renames of which only the removal is chosen: the text would be in no file. */
function findHalfMoves(files: readonly ChosenFile[]): PieceDependency[] {
  const isTaken = ({ choice }: ChosenFile): boolean => choice.taken.size > 0;
  return files.flatMap((moved) => {
    const { from } = moved.file;
    const old = from === undefined ? undefined : files.find(({ path }) => path === from);
    if (!old || old.file.after !== null || !isTaken(old) || isTaken(moved)) return [];
    const needs = Array.from({ length: countPieces(moved.file) }, (_, hunk) => ({ path: moved.path, hunk }));
    return [{ kind: 'move' as const, name: old.path, by: { path: old.path, hunk: 0 }, needs }];
  });
}

function toDependency(entry: NameInPieces, before: Count, options: DependencyOptions): PieceDependency | null {
  const { kind, name, pieces } = entry;
  const all = { ...before };
  const part = { ...before };
  for (const { isTaken, old, now } of pieces) {
    addCount(all, old, now);
    if (isTaken) addCount(part, old, now);
  }
  if (!isMissing(part) || isMissing(all)) return null;
  if (kind === 'variable' && options.isVariableSet(name)) return null;
  const by = pieces.find(({ isTaken, old, now }) => isTaken && (now.used > old.used || now.defined < old.defined));
  const needs = pieces.filter(
    ({ isTaken, old, now }) => !isTaken && (now.defined > old.defined || (all.defined <= 0 && now.used < old.used)),
  );
  if (by === undefined || needs.length === 0) return null;
  return { kind, name, by: by.place, needs: needs.map(({ place }) => place) };
}

const isMissing = ({ defined, used }: Count): boolean => used > 0 && defined <= 0;

function addCount(count: Count, old: Count, now: Count): void {
  count.defined += now.defined - old.defined;
  count.used += now.used - old.used;
}

/** Returns the names in changed lines, by key. */
function collectNames(files: readonly ChosenFile[], engine: Engine): Map<string, NameInPieces> {
  const names = new Map<string, NameInPieces>();
  for (const { path, file, choice } of files) {
    for (let hunk = 0; hunk < countPieces(file); hunk += 1) {
      const isTaken = choice.taken.has(hunk);
      const changed = file.hunks[hunk];
      const own = isTaken ? choice.edited?.get(hunk) : undefined;
      const counts = new Map<string, { found: FoundName; old: Count; now: Count }>();
      const count = (side: 'old' | 'now', found: FoundName): void => {
        const entry = counts.get(found.key) ?? { found, old: { defined: 0, used: 0 }, now: { defined: 0, used: 0 } };
        entry[side][found.role] += 1;
        counts.set(found.key, entry);
      };
      // A created file provides its scene, a deleted one takes it away.
      if (file.before === null) count('now', toSceneName(path, 'defined'));
      if (file.after === null) count('old', toSceneName(path, 'defined'));
      for (const found of namesIn(changed?.linesOld ?? [], path, engine)) count('old', found);
      for (const found of namesIn(own ?? changed?.linesNew ?? [], path, engine)) count('now', found);
      for (const [key, { found, old, now }] of counts) {
        if (old.defined === now.defined && old.used === now.used) continue;
        const entry = names.get(key) ?? { kind: found.kind, name: found.name, path, pieces: [] };
        entry.pieces.push({ place: { path, hunk }, isTaken, old, now });
        names.set(key, entry);
      }
    }
  }
  return names;
}

/** Counts the names in the texts before the proposal. Scenes that it does not change are there, and are not counted. */
function countBefore(
  files: readonly ChosenFile[],
  names: ReadonlyMap<string, NameInPieces>,
  engine: Engine,
): Map<string, Count> {
  const counts = new Map<string, Count>();
  const proposed = new Set(files.map(({ path }) => path));
  const add = ({ key, role }: FoundName): void => {
    const count = counts.get(key) ?? { defined: 0, used: 0 };
    count[role] += 1;
    counts.set(key, count);
  };
  for (const [key, { kind, name }] of names) {
    // It exists, or the whole proposal misses it too.
    if (kind === 'scene' && !proposed.has(name)) counts.set(key, { defined: 1, used: 0 });
  }
  for (const { path, file } of files) {
    if (file.before === null) continue;
    add(toSceneName(path, 'defined'));
    for (const found of namesIn(file.before.split('\n'), path, engine)) if (names.has(found.key)) add(found);
  }
  return counts;
}

interface FoundName {
  key: string;
  kind: Kind;
  name: string;
  role: keyof Count;
}

/** Cheap test for lines that cannot name anything, which are most of a story. */
const MAY_NAME = /label|jump|choose|scene|setvar|input|when|\{/i;

const ROLES: Readonly<Record<string, [Kind, keyof Count]>> = {
  label: ['label', 'defined'],
  jump: ['label', 'used'],
  scene: ['scene', 'used'],
  write: ['variable', 'defined'],
  input: ['variable', 'defined'],
  condition: ['variable', 'used'],
  calculation: ['variable', 'used'],
  interpolation: ['variable', 'used'],
};

const toSceneName = (path: string, role: keyof Count): FoundName => toFoundName('scene', path, path, role);

/** A label belongs to its scene. */
function toFoundName(kind: Kind, name: string, path: string, role: keyof Count): FoundName {
  return { key: JSON.stringify(kind === 'label' ? [kind, path, name] : [kind, name]), kind, name, role };
}

function* namesIn(lines: readonly string[], path: string, engine: Engine): Generator<FoundName> {
  for (const line of lines) {
    if (!MAY_NAME.test(line)) continue;
    for (const { role, name } of analyzeLine(toEditableText([line]), engine).references ?? []) {
      const [kind, use] = Object.hasOwn(ROLES, role) ? (ROLES[role] ?? []) : [];
      if (kind === undefined || use === undefined) continue;
      yield toFoundName(kind, kind === 'scene' ? toFilePath('scene', name) : name, path, use);
    }
  }
}
