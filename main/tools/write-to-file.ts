import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { Diff } from '../../shared/model/diff.ts';
import { ProjectPath } from '../../shared/paths/project-path.ts';
import { keepLineEndings } from '../../shared/text/line-endings.ts';
import { toQuoted } from '../../shared/text/shown-text.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import {
  DRAFT_NOTE,
  MAX_TEXT_BYTES,
  readForChange,
  refuseUnwritable,
  requireSeen,
} from '../core/proposal/text-change.ts';
import { toLineDiff } from '../core/text/line-diff.ts';
import { toTextVersion } from '../core/text/text-version.ts';
import { writeToFileForModel } from './for-model/write-to-file.ts';
import { editTool } from './support/tool-presets.ts';

export const writeToFile = defineTool({
  ...editTool('write_to_file'),
  capability: 'project.file.write',
  version: '1.0.0',
  description:
    'Writes a whole text file (mode overwrite) or adds text at its end (mode append); missing folders are created. ' +
    'dryRun: true only returns the diff and changes nothing. dryRun: false makes the change: in the app it is ' +
    'drafted into the proposal (applied: false, drafted: true) and reaches the disk when the user accepts it; elsewhere it ' +
    'is written at once and needs a dry run of the same path and content before. For small changes to an existing ' +
    'file use replace_in_file. Give the complete text, never "rest unchanged".',
  input: z.strictObject({
    path: ProjectPath.describe('File, relative to the project root'),
    content: z.string().max(MAX_TEXT_BYTES).describe('The complete new text, or the text to add'),
    mode: z.enum(['overwrite', 'append']).default('overwrite'),
    dryRun: z.boolean().meta({ default: true }).describe('true: show the diff only; false: make the change'),
    idempotencyKey: z.string().min(1).max(200).optional().describe('The same key and content is written only once'),
  }),
  output: z.object({
    applied: z.boolean(),
    drafted: z.boolean().optional(),
    diff: Diff.optional(),
    snapshotId: z.string().optional(),
    bytesWritten: z.int().min(0).optional(),
    note: z.string().optional(),
  }),
  forModel: writeToFileForModel,
  rateLimit: 240,
  examples: [{ path: 'game/scene/beach.txt', content: 'changeBg:beach.jpg -next;\n', dryRun: true }],
  needs: ['reader', 'writer'],
  summarize: ({ path, mode, dryRun }) => {
    if (dryRun) return toolText('write_to_file.summaryDryRun', { path: toQuoted(path) });
    if (mode === 'append') return toolText('write_to_file.summaryAppend', { path: toQuoted(path) });
    return toolText('write_to_file.summaryWrite', { path: toQuoted(path) });
  },
  paths: ({ path }) => [path],
  approval: {
    permissionsFor: ({ dryRun }) => (dryRun ? ['fs.read'] : ['fs.read', 'fs.write']),
    async plan({ path, content, mode, dryRun }, { reader }) {
      if (dryRun) return [];
      const before = (await readForChange(reader, path))?.text ?? null;
      return [{ path, before, after: toNewText(before, { content, mode }) }];
    },
  },
  async handler({ path, content, mode, dryRun, idempotencyKey }, { reader, writer }, { seen }) {
    const there = await readForChange(reader, path);
    const before = there?.text ?? null;
    const text = toNewText(before, { content, mode });
    refuseUnwritable(path, text);
    const diff = toLineDiff(before, text);
    const change = {
      path,
      text,
      base: there?.version ?? null,
      asked: JSON.stringify([mode, content]),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    };
    if (dryRun) {
      await writer.recordDryRun?.(change);
      if (there !== null) seen.set(path, there.version);
      return { applied: false, diff };
    }
    if (mode === 'overwrite' && there !== null && there.text !== text) requireSeen(seen, there);
    const { applied, drafted, repeated, version, snapshotId, bytesWritten } = await writer.write(change);
    if (repeated !== true) seen.set(path, version ?? (await toTextVersion(text)).version);
    return {
      applied,
      ...(drafted && { drafted, note: DRAFT_NOTE }),
      ...(repeated !== true && { diff }),
      ...(snapshotId !== undefined && { snapshotId }),
      ...(bytesWritten !== undefined && { bytesWritten }),
    };
  },
});

function toNewText(
  before: string | null,
  { content, mode }: { content: string; mode: 'overwrite' | 'append' },
): string {
  if (before === null) return content;
  return mode === 'append' ? before + content : keepLineEndings(before, content);
}
