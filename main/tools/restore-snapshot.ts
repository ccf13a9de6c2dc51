import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { SNAPSHOT_ID } from '../../shared/model/snapshot.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { readTool } from './support/tool-presets.ts';

export const restoreSnapshot = defineTool({
  ...readTool('restore_snapshot'),
  capability: 'history.snapshot.read',
  version: '1.1.0',
  description:
    'Returns the text a snapshot keeps and the path it belongs to. It writes nothing: to bring the text back, pass it to ' +
    'write_to_file. existed: false says that there was no file then (content is empty): going back means delete_file.',
  input: z.strictObject({
    snapshotId: z.string().regex(SNAPSHOT_ID, 'expected snap_YYYYMMDDThhmmss_ and 8 hex digits'),
  }),
  output: z.object({
    path: z.string(),
    content: z.string(),
    /** False when the file did not exist before the write; absent otherwise. */
    existed: z.literal(false).optional(),
  }),
  logged: ['snapshotId'],
  examples: [{ snapshotId: 'snap_20261120T093000_ab12cd34' }],
  needs: ['snapshots'],
  summarize: ({ snapshotId }) => toolText('restore_snapshot.summary', { snapshotId }),
  paths: () => [],
  async handler({ snapshotId }, { snapshots }) {
    const { snapshot, text } = await snapshots.read(snapshotId);
    // The snapshot exists, so the call succeeds; “not found” is reserved for an unknown snapshot.
    return text === null
      ? { path: snapshot.path, content: '', existed: false as const }
      : { path: snapshot.path, content: text };
  },
});
