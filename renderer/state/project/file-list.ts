import type { Output } from '../../../shared/contract.ts';
import type { ProjectFile } from '../../../shared/model/project.ts';
import { toNaturalKey } from './natural-order.ts';
import { withoutModelParts } from './without-model-parts.ts';

/** The files of a game in display order. */
export interface FileList {
  files: readonly ProjectFile[];
  /** Every path that scripts can name, including files the app cannot open. The same object while unchanged. */
  paths: ReadonlySet<string>;
}

const natural = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
const START = 'game/scene/start.txt';

/**
 * A file with its sort key. In plain (ASCII) names numbers are padded with zeros, so that they compare as strings, which
 * is many times faster than the collator; other names use the collator and sort after them.
 */
interface Keyed<T extends { path: string }> {
  file: T;
  isPlain: boolean;
  key: string;
}

function toKeyed<T extends { path: string }>(file: T): Keyed<T> {
  const path = file.path;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII characters
  const isPlain = /^[\x00-\x7f]*$/.test(path);
  const key = isPlain
    ? path.toLowerCase().replaceAll(/\d+/g, (digits) => digits.padStart(12, '0'))
    : toNaturalKey(path);
  return { file, isPlain, key };
}

function compare(one: Keyed<{ path: string }>, other: Keyed<{ path: string }>): number {
  if (one.file.path === other.file.path) return 0;
  if (one.file.path === START || other.file.path === START) return one.file.path === START ? -1 : 1;
  if (one.isPlain !== other.isPlain) return one.isPlain ? -1 : 1;
  if (!one.isPlain) return natural.compare(one.key, other.key) || natural.compare(one.file.path, other.file.path);
  return one.key < other.key ? -1 : one.key > other.key ? 1 : one.file.path < other.file.path ? -1 : 1;
}

/** Sorts the entry scene first, then by name, numbers by value, including Chinese numerals. */
function sortByPath<T extends { path: string }>(files: readonly T[]): T[] {
  return files
    .map(toKeyed)
    .sort(compare)
    .map(({ file }) => file);
}

/** Returns the files in display order. Omits parts of Live2D models. */
export function sortFiles(files: readonly ProjectFile[]): ProjectFile[] {
  return sortByPath(withoutModelParts(files));
}

export function toFileList({ files, unportable }: Output<'project.files'>): FileList {
  return { files: sortFiles(files), paths: new Set([...files.map(({ path }) => path), ...unportable]) };
}

/** Applies the answer for the changed paths `asked` to a list; those missing in the answer were removed. */
export function applyFileNews(list: FileList, asked: readonly string[], answer: Output<'project.files'>): FileList {
  if (answer.isWhole) {
    const next = toFileList(answer);
    const isSame = next.paths.size === list.paths.size && [...next.paths].every((path) => list.paths.has(path));
    return isSame ? { ...next, paths: list.paths } : next;
  }
  const fresh = new Map(answer.files.map((file) => [file.path, file]));
  const gone = asked.filter((path) => !fresh.has(path));
  // A removed path may have been a folder.
  const isGone = (path: string) => gone.some((each) => path === each || path.startsWith(`${each}/`));
  const files = list.files.flatMap((file) => {
    const next = fresh.get(file.path);
    fresh.delete(file.path);
    return next ? [next] : gone.length > 0 && isGone(file.path) ? [] : [file];
  });
  const isOther = fresh.size > 0 || files.length !== list.files.length;
  if (!isOther) return { files, paths: list.paths };
  const paths = new Set([...list.paths].filter((path) => gone.length === 0 || !isGone(path)));
  for (const path of fresh.keys()) paths.add(path);
  return { files: fresh.size > 0 ? sortFiles([...files, ...fresh.values()]) : files, paths };
}
