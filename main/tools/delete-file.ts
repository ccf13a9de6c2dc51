import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { ProjectPath } from '../../shared/paths/project-path.ts';
import { toQuoted } from '../../shared/text/shown-text.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { DRAFT_NOTE, refuseAsset, requireSeen } from '../core/proposal/text-change.ts';
import { requireFile } from './support/missing-file.ts';
import { editTool } from './support/tool-presets.ts';

export const deleteFile = defineTool({
  ...editTool('delete_file', { level: 'high', reason: 'removesFile' }),
  capability: 'project.file.delete',
  version: '1.0.0',
  description:
    'Removes one text file; its text is kept and can be brought back. Pictures, sounds and folders cannot be removed. ' +
    'In the app the removal is drafted into the proposal. Look first whether another scene leads to the file.',
  input: z.strictObject({ path: ProjectPath.describe('File, relative to the project root') }),
  output: z.object({
    applied: z.boolean(),
    drafted: z.boolean().optional(),
    snapshotId: z.string().optional(),
    note: z.string().optional(),
  }),
  permissions: ['fs.read', 'fs.delete'],
  sideEffects: 'Drafts or makes the removal of one text file; the text is snapshotted.',
  examples: [{ path: 'game/scene/old.txt' }],
  needs: ['reader', 'writer'],
  summarize: ({ path }) => toolText('delete_file.summary', { path: toQuoted(path) }),
  paths: ({ path }) => [path],
  approval: {
    async plan({ path }, { reader }) {
      await requireFile(reader, path);
      refuseAsset(path);
      return [{ path, before: (await reader.read(path)).text, after: null }];
    },
  },
  async handler({ path }, { reader, writer }, { seen }) {
    await requireFile(reader, path);
    refuseAsset(path);
    // Read as text first: a file that cannot be snapshotted could not be restored.
    const file = await reader.read(path);
    requireSeen(seen, file);
    const { applied, drafted, snapshotId } = await writer.write({ path, text: null, base: file.version });
    seen.delete(path);
    return {
      applied,
      ...(drafted && { drafted, note: DRAFT_NOTE }),
      ...(snapshotId !== undefined && { snapshotId }),
    };
  },
});
