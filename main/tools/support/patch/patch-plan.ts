import { AppError } from '../../../../shared/errors.ts';
import { toProjectPath } from '../../../../shared/paths/project-path.ts';
import { keepLineEndings } from '../../../../shared/text/line-endings.ts';
import type { ToolChange } from '../../../core/capability/define-tool.ts';
import type { Reader } from '../../../core/ports/reader.ts';
import { refuseUnwritable, requireSeen } from '../../../core/proposal/text-change.ts';
import { requireFile } from '../missing-file.ts';
import { applyHunks, type PatchEntry, type PatchTolerance, parsePatch } from './parse-patch.ts';

const MAX_FILES = 50;

/** Parsed patches by the input of their call, which asks for permissions, paths, a summary and the result. */
const parsed = new WeakMap<object, readonly PatchEntry[]>();

/** Parses the patch and normalises its paths. Throws `E_BAD_ARGS` for a malformed or too large patch, `E_DENY_PATH`. */
export function readEntries(input: { patch_text: string }): readonly PatchEntry[] {
  const known = parsed.get(input);
  if (known) return known;
  const entries = parsePatch(input.patch_text).map((entry) => ({ ...entry, path: toProjectPath(entry.path) }));
  if (entries.length <= MAX_FILES) {
    parsed.set(input, entries);
    return entries;
  }
  throw new AppError('E_BAD_ARGS', `A patch takes at most ${MAX_FILES} files; this one has ${entries.length}.`);
}

export function refuseRepeatedPaths(entries: readonly PatchEntry[]): void {
  if (new Set(entries.map((entry) => entry.path)).size === entries.length) return;
  throw new AppError('E_BAD_ARGS', 'A file is named twice in the patch. Nothing was changed.', {
    hint: 'Put all changes of a file under one *** Update File.',
  });
}

interface PlanOptions {
  reader: Reader;
  /** The versions that the caller was shown. */
  seen: ReadonlyMap<string, string>;
  /** Makes the search for old lines tolerant. */
  tolerate?: (text: string) => PatchTolerance;
}

/** Returns the change that an entry of a patch makes, without making it. */
export async function planEntry(
  entry: PatchEntry,
  { reader, seen, tolerate }: PlanOptions,
): Promise<{ entry: PatchEntry; before: string | null; change: ToolChange }> {
  const { path, action } = entry;
  if (action === 'add') {
    if ((await reader.stat(path)) !== null) {
      throw new AppError('E_CONFLICT', `${path} already exists. Nothing was changed.`, {
        details: { paths: [path] },
        hint: 'Use *** Update File for it.',
      });
    }
    refuseUnwritable(path, entry.text);
    return { entry, before: null, change: { path, text: entry.text, base: null } };
  }
  await requireFile(reader, path);
  const file = await reader.read(path);
  const { text: before, version: base } = file;
  if (action === 'delete') {
    requireSeen(seen, file);
    return { entry, before, change: { path, text: null, base } };
  }
  const text = keepLineEndings(before, applyHunks(path, before, entry.hunks, tolerate?.(before)));
  refuseUnwritable(path, text);
  return { entry, before, change: { path, text, base } };
}
