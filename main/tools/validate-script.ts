import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { toolText } from '../../shared/i18n/tools.ts';
import { ProjectPath } from '../../shared/paths/project-path.ts';
import { diagnoseScene } from '../../shared/script/diagnostics/diagnose.ts';
import { CONFIG_PATH } from '../../shared/script/project-index/project-facts.ts';
import { toQuoted } from '../../shared/text/shown-text.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { currentProjectIndex, isScene } from '../core/project/read-project-index.ts';
import { validateScriptForModel } from './for-model/validate-script.ts';
import { requireFile } from './support/missing-file.ts';
import { readTool } from './support/tool-presets.ts';

const MAX_CONTENT = 5 * 1024 * 1024;

export const validateScript = defineTool({
  ...readTool('validate_script'),
  inChat: 'checked',
  capability: 'script.scene.validate',
  version: '1.0.0',
  description:
    'Checks a scene as the engine would read it: unknown commands, missing files (with near names), missing labels and ' +
    'more. Give either path (drafted changes are seen) or content, not both. valid is false when something would go ' +
    'wrong in the game; the other diagnostics are advice. Always check what you wrote, and fix errors once.',
  input: z
    .strictObject({
      path: ProjectPath.optional().describe('Scene file, relative to the project root'),
      content: z.string().max(MAX_CONTENT).optional().describe('Script text to check instead of a file'),
    })
    .refine(({ path, content }) => (path === undefined) !== (content === undefined), {
      message: 'give either path or content, not both and not neither',
    })
    .meta({ oneOf: [{ required: ['path'] }, { required: ['content'] }] }),
  output: z.object({
    valid: z.boolean(),
    diagnostics: z.array(
      z.object({
        line: z.int().min(1),
        kind: z.enum(['syntax', 'resource', 'style']),
        message: z.string(),
        fixHint: z.string().optional(),
      }),
    ),
  }),
  forModel: validateScriptForModel,
  examples: [{ path: 'game/scene/start.txt' }],
  needs: ['reader'],
  summarize: ({ path }) =>
    path === undefined
      ? toolText('validate_script.summaryContent')
      : toolText('validate_script.summaryFile', { path: toQuoted(path) }),
  paths: ({ path }) => (path === undefined ? [] : [path]),
  async handler({ path, content }, { reader }, { signal, locale, engine }) {
    if (path !== undefined) await requireFile(reader, path);
    const text = path === undefined ? (content ?? '') : (await reader.read(path)).text;
    if (!text.isWellFormed()) throw new AppError('E_ENCODING', 'The text holds broken characters.');
    if (path !== undefined && !path.toLowerCase().endsWith('.txt')) {
      throw new AppError('E_BAD_ARGS', `${path} is not a script, so it cannot be checked.`, {
        hint: 'Scenes are the .txt files under game/scene.',
      });
    }
    const index = await currentProjectIndex(reader, { ...(await engine?.()), signal });
    // A script outside the scenes is checked as a fragment, without rules about its start and end.
    const place = path !== undefined && (isScene(path) || path === CONFIG_PATH) ? path : null;
    const found = diagnoseScene(index, place, { locale, text });
    return {
      valid: found.every((diagnostic) => diagnostic.severity !== 'error'),
      diagnostics: found.map(({ line, kind, message, fixHint }) => ({
        line,
        kind,
        message,
        ...(fixHint !== undefined && { fixHint }),
      })),
    };
  },
});
