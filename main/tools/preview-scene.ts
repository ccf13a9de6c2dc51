import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { ProjectPath } from '../../shared/paths/project-path.ts';
import { toQuoted } from '../../shared/text/shown-text.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { TOOL_URL } from '../network/allowed-addresses.ts';
import { requireFile } from './support/missing-file.ts';
import { readTool } from './support/tool-presets.ts';

/** The contract allows only `localhost` itself; the stage's server redirects from it to the stage's subdomain. */
function toContractAddress(url: string): string {
  return url.replace(/^(https?:\/\/)[\w-]+\.localhost(?=[:/])/, '$1localhost');
}

export const previewScene = defineTool({
  ...readTool('preview_scene', { reason: 'shows' }),
  type: 'action',
  inChat: 'played',
  capability: 'stage.scene.preview',
  version: '1.0.0',
  description:
    'Shows a scene on the stage, drafted changes included, and reports what the engine says: missing files, script ' +
    'errors, and the first line that fails. scenePath is the scene file (game/scene/start.txt); without it the first ' +
    'scene. Run validate_script first.',
  input: z.strictObject({
    scenePath: ProjectPath.optional().describe('Scene file, relative to the project root'),
  }),
  output: z.object({
    url: z.string().regex(TOOL_URL),
    logs: z.array(z.string()).optional(),
    firstErrorLine: z.int().min(1).optional(),
  }),
  sideEffects: 'Turns the stage to another scene.',
  rateLimit: 60,
  timeout: 60_000,
  examples: [{ scenePath: 'game/scene/start.txt' }],
  needs: ['reader', 'stage'],
  summarize: ({ scenePath }) =>
    scenePath === undefined
      ? toolText('preview_scene.summaryStart')
      : toolText('preview_scene.summaryScene', { scenePath: toQuoted(scenePath) }),
  paths: ({ scenePath }) => (scenePath === undefined ? [] : [scenePath]),
  async handler({ scenePath }, { reader, stage }, { signal }) {
    if (scenePath !== undefined) await requireFile(reader, scenePath);
    const { url, logs, firstErrorLine } = await stage.preview(scenePath, signal);
    return { url: toContractAddress(url), logs, ...(firstErrorLine !== undefined && { firstErrorLine }) };
  },
});
