import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { toolText } from '../../shared/i18n/tools.ts';
import { toProjectPath } from '../../shared/paths/project-path.ts';
import { keepLineEndings } from '../../shared/text/line-endings.ts';
import { toQuoted } from '../../shared/text/shown-text.ts';
import type { ToolChange } from '../core/capability/define-tool.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import type { PlannedText } from '../core/capability/to-change-summary.ts';
import type { Reader } from '../core/ports/reader.ts';
import { DRAFT_NOTE, MAX_TEXT_BYTES, refuseUnwritable, requireSeen } from '../core/proposal/text-change.ts';
import { countLines, toLineDiff } from '../core/text/line-diff.ts';
import { requireFile } from './support/missing-file.ts';
import { applyHunks, type PatchEntry, parsePatch } from './support/parse-patch.ts';
import { editTool } from './support/tool-presets.ts';

const MAX_FILES = 50;

export const applyPatch = defineTool({
  ...editTool('apply_patch', { level: 'high' }),
  capability: 'project.file.patch',
  version: '1.0.0',
  description:
    'Changes several places or files at once; all of it or nothing. Form: "*** Begin Patch", then per file ' +
    '"*** Update File: path" with hunks that begin with "@@" and hold lines marked " " (stays), "-" (goes) or "+" (comes), ' +
    '"*** Add File: path" with "+" lines, or "*** Delete File: path"; then "*** End Patch". Lines marked " " or "-" must ' +
    'stand in the file exactly once in that order. In the app all of it is drafted into the proposal.',
  input: z.strictObject({ patch_text: z.string().min(1).max(MAX_TEXT_BYTES) }),
  output: z.object({
    applied: z.boolean(),
    drafted: z.boolean().optional(),
    files: z.array(
      z.object({
        path: z.string(),
        action: z.enum(['add', 'update', 'delete']),
        added: z.int().min(0),
        removed: z.int().min(0),
        snapshotId: z.string().optional(),
      }),
    ),
    note: z.string().optional(),
  }),
  permissions: ['fs.read', 'fs.write', 'fs.delete'],
  sideEffects: 'Drafts or writes several text files; the texts before are snapshotted.',
  rateLimit: 120,
  // Language data: text of a game.
  examples: [
    { patch_text: '*** Begin Patch\n*** Update File: game/scene/start.txt\n@@\n-甲:你好;\n+甲:晚上好;\n*** End Patch' },
  ],
  needs: ['reader', 'writer'],
  summarize: (input) => {
    const paths = [...new Set(readEntries(input).map((entry) => entry.path))];
    const [first = ''] = paths;
    return paths.length === 1
      ? toolText('apply_patch.summaryOne', { first: toQuoted(first) })
      : toolText('apply_patch.summaryMany', { count: paths.length });
  },
  paths: (input) => [...new Set(readEntries(input).map((entry) => entry.path))],
  approval: {
    permissionsFor: (input) =>
      readEntries(input).some((entry) => entry.action === 'delete')
        ? ['fs.read', 'fs.write', 'fs.delete']
        : ['fs.read', 'fs.write'],
    async plan(input, { reader }) {
      const entries = readEntries(input);
      refuseRepeatedPaths(entries);
      const planned: PlannedText[] = [];
      for (const entry of entries) {
        const { before, change } = await plan(reader, entry, new Map());
        planned.push({ path: change.path, before, after: change.text });
      }
      return planned;
    },
  },
  async handler(input, { reader, writer }, { seen }) {
    const entries = readEntries(input);
    refuseRepeatedPaths(entries);
    // Compute all changes before writing any of them.
    const planned: { entry: PatchEntry; before: string | null; change: ToolChange }[] = [];
    for (const entry of entries) planned.push(await plan(reader, entry, seen));
    const written = await writer.writeAll(planned.map(({ change }) => change));
    for (const { change } of planned) seen.delete(change.path);
    const drafted = written.some((one) => one.drafted);
    return {
      applied: written.every((one) => one.applied),
      ...(drafted && { drafted, note: DRAFT_NOTE }),
      files: planned.map(({ entry, before, change }, index) => {
        const snapshotId = written[index]?.snapshotId;
        return {
          path: change.path,
          action: entry.action,
          ...countLines(toLineDiff(before, change.text).hunks),
          ...(snapshotId !== undefined && { snapshotId }),
        };
      }),
    };
  },
});

/** Parsed patches by the input of their call, which asks for permissions, paths, a summary and the result. */
const parsed = new WeakMap<object, readonly PatchEntry[]>();

/** Parses the patch and normalises its paths. Throws `E_BAD_ARGS` for a malformed or too large patch, `E_DENY_PATH`. */
function readEntries(input: { patch_text: string }): readonly PatchEntry[] {
  const known = parsed.get(input);
  if (known) return known;
  const entries = parsePatch(input.patch_text).map((entry) => ({ ...entry, path: toProjectPath(entry.path) }));
  if (entries.length <= MAX_FILES) {
    parsed.set(input, entries);
    return entries;
  }
  throw new AppError('E_BAD_ARGS', `A patch takes at most ${MAX_FILES} files; this one has ${entries.length}.`);
}

function refuseRepeatedPaths(entries: readonly PatchEntry[]): void {
  if (new Set(entries.map((entry) => entry.path)).size === entries.length) return;
  throw new AppError('E_BAD_ARGS', 'A file is named twice in the patch. Nothing was changed.', {
    hint: 'Put all changes of a file under one *** Update File.',
  });
}

async function plan(reader: Reader, entry: PatchEntry, seen: ReadonlyMap<string, string>) {
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
  const text = keepLineEndings(before, applyHunks(path, before, entry.hunks));
  refuseUnwritable(path, text);
  return { entry, before, change: { path, text, base } };
}
