import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { Severity } from '../../shared/model/diagnostic.ts';
import { ProjectPath } from '../../shared/paths/project-path.ts';
import { diagnoseProject } from '../../shared/script/diagnostics/diagnose.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { currentProjectIndex } from '../core/project/read-project-index.ts';
import { toMissing } from './support/missing-file.ts';
import { readTool } from './support/tool-presets.ts';

const MAX_PROBLEMS = 300;

export const readLints = defineTool({
  ...readTool('read_lints'),
  inChat: 'checked',
  capability: 'script.project.validate',
  version: '1.0.0',
  description:
    'Lists the problems of the whole game as the editor shows them, drafted changes included, errors first. paths narrows ' +
    `it to files or folders. At most ${MAX_PROBLEMS}; truncated says when there are more.`,
  // The app's own model has validate_script for it.
  forModel: 'hidden',
  input: z.strictObject({
    paths: z.array(ProjectPath).max(100).optional().describe('Files or folders; the whole game when left out'),
  }),
  output: z.object({
    diagnostics: z.array(
      z.object({
        path: z.string(),
        line: z.int().min(1),
        severity: Severity,
        kind: z.enum(['syntax', 'resource', 'style']),
        code: z.string(),
        message: z.string(),
        fixHint: z.string().optional(),
      }),
    ),
    truncated: z.boolean(),
  }),
  rateLimit: 120,
  timeout: 60_000,
  examples: [{ paths: ['game/scene'] }],
  needs: ['reader'],
  summarize: () => toolText('read_lints.summary'),
  paths: ({ paths }) => paths ?? [],
  async handler({ paths }, { reader }, { signal, locale, engine }) {
    for (const path of paths ?? []) if ((await reader.stat(path)) === null) throw await toMissing(reader, path);
    const index = await currentProjectIndex(reader, { ...(await engine?.()), signal });
    const rank = { error: 0, warning: 1, info: 2 };
    const found = diagnoseProject(index, { locale })
      .filter((problem) => paths === undefined || paths.some((path) => isIn(problem.path, path)))
      .sort((a, b) => rank[a.severity] - rank[b.severity]);
    return { diagnostics: found.slice(0, MAX_PROBLEMS), truncated: found.length > MAX_PROBLEMS };
  },
});

function isIn(path: string, place: string): boolean {
  return place === '.' || path === place || path.startsWith(`${place}/`);
}
