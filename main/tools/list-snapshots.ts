import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { SNAPSHOT_ID } from '../../shared/model/snapshot.ts';
import { toQuoted } from '../../shared/text/shown-text.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { readTool } from './support/tool-presets.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1000;

export const listSnapshots = defineTool({
  ...readTool('list_snapshots'),
  capability: 'history.snapshot.list',
  version: '1.0.0',
  description:
    'Lists kept texts, newest first. Each snapshot holds what a file was before a write. path filters by the beginning ' +
    'of the path, e.g. game/scene. Read one with restore_snapshot.',
  input: z.strictObject({
    // The contract accepts any number: an invalid one means the default.
    limit: z
      .number()
      .meta({ default: DEFAULT_LIMIT, minimum: 0, maximum: MAX_LIMIT })
      .optional()
      .describe('At most this many (50, up to 1000)'),
    path: z.string().max(4096).optional().describe('Beginning of the path, relative to the project root'),
  }),
  output: z.object({
    snapshots: z.array(
      z.object({
        id: z.string().regex(SNAPSHOT_ID),
        path: z.string(),
        timestamp: z.number(),
        contentHash: z.string().regex(/^[0-9a-f]{8}$/),
        idempotencyKey: z.string().optional(),
      }),
    ),
  }),
  examples: [{ path: 'game/scene', limit: 10 }],
  needs: ['snapshots'],
  summarize: ({ path }) =>
    path === undefined
      ? toolText('list_snapshots.summary')
      : toolText('list_snapshots.summaryFile', { path: toQuoted(path) }),
  paths: () => [],
  async handler({ limit, path }, { snapshots }) {
    const wanted = limit === undefined || !(limit >= 0) ? DEFAULT_LIMIT : Math.min(Math.floor(limit), MAX_LIMIT);
    if (wanted === 0) return { snapshots: [] };
    const kept = await snapshots.list({ limit: wanted, ...(path !== undefined && { pathPrefix: path }) });
    return { snapshots: kept };
  },
});
