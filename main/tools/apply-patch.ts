import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { toQuoted } from '../../shared/text/shown-text.ts';
import type { ToolChange } from '../core/capability/define-tool.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import type { PlannedText } from '../core/capability/to-change-summary.ts';
import { DRAFT_NOTE, MAX_TEXT_BYTES } from '../core/proposal/text-change.ts';
import { countLines, toLineDiff } from '../core/text/line-diff.ts';
import { applyPatchForModel } from './for-model/apply-patch.ts';
import type { PatchEntry } from './support/patch/parse-patch.ts';
import { planEntry, readEntries, refuseRepeatedPaths } from './support/patch/patch-plan.ts';
import { editTool } from './support/tool-presets.ts';

export const applyPatch = defineTool({
  ...editTool('apply_patch', { level: 'high', reason: 'severalFiles' }),
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
  forModel: applyPatchForModel,
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
        const { before, change } = await planEntry(entry, { reader, seen: new Map() });
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
    for (const entry of entries) planned.push(await planEntry(entry, { reader, seen }));
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
