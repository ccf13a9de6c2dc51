import { z } from 'zod';
import { AppError } from '../../../shared/errors.ts';
import { toolText } from '../../../shared/i18n/tools.ts';
import { type Diagnostic, Severity } from '../../../shared/model/diagnostic.ts';
import { ProjectPath } from '../../../shared/paths/project-path.ts';
import { diagnoseProject, diagnoseScene } from '../../../shared/script/diagnostics/diagnose.ts';
import { CONFIG_PATH } from '../../../shared/script/project-index/project-facts.ts';
import { toQuoted } from '../../../shared/text/shown-text.ts';
import type { ToolContext } from '../../core/capability/define-tool.ts';
import { defineFace } from '../../core/capability/model-face.ts';
import { MAX_ANSWER_TEXT } from '../../core/capability/parsing/bound-answer.ts';
import type { Reader } from '../../core/ports/reader.ts';
import { currentProjectIndex, isScene } from '../../core/project/read-project-index.ts';
import { toMissing } from '../support/missing-file.ts';

const MAX_CONTENT = 5 * 1024 * 1024;
const RANK = { error: 0, warning: 1, info: 2 };

const Problem = z.object({
  path: z.string().optional(),
  line: z.int().min(1),
  severity: Severity,
  message: z.string(),
  fixHint: z.string().optional(),
});

export const validateScriptForModel = defineFace({
  description:
    'Checks scenes as the engine would read them, your drafts included: unknown commands, missing files (with near names), ' +
    'missing labels and more. path is a scene or a folder; the whole game when left out. valid is false when something would ' +
    'go wrong in the game; other problems are advice. Check what you wrote before you finish, and fix errors once.',
  input: z.strictObject({
    path: ProjectPath.optional().describe('Scene or folder; the whole game when left out'),
    offset: z.int().min(0).default(0).describe('Problems to skip, to read on after leftOut'),
    content: z.string().max(MAX_CONTENT).optional(),
    paths: z.array(ProjectPath).max(100).optional(),
  }),
  output: z.object({
    valid: z.boolean(),
    problems: z.array(Problem),
    leftOut: z.string().optional(),
  }),
  unlisted: ['content', 'paths'],
  texts: ['content'],
  earlier: [{ name: 'read_lints', major: 1, adapt: (input) => input }],
  examples: [{ path: 'game/scene/start.txt' }],
  needs: ['reader'],
  summarize: ({ path, paths = path === undefined ? [] : [path], content }) => {
    const [only] = paths;
    if (only !== undefined && paths.length === 1)
      return toolText('validate_script.summaryFile', { path: toQuoted(only) });
    return content === undefined || paths.length > 0
      ? toolText('read_lints.summary')
      : toolText('validate_script.summaryContent');
  },
  paths: ({ path, paths = [] }) => (path === undefined ? paths : [path, ...paths]),
  async handler({ path, paths = [], content, offset }, { reader }, context) {
    const places = path === undefined ? paths : [path, ...paths];
    const found =
      content !== undefined && places.length === 0
        ? await checkText(content, reader, context)
        : await checkPlaces(places, reader, context);
    const problems: z.input<typeof Problem>[] = [];
    let length = 0;
    for (const { path: place, line, severity, message, fixHint } of found.slice(offset)) {
      const isNamed = place !== '' && !(places.length === 1 && places[0] === place);
      const problem = {
        line,
        severity,
        message,
        ...(isNamed && { path: place }),
        ...(fixHint !== undefined && { fixHint }),
      };
      length += JSON.stringify(problem).length;
      if (length > MAX_ANSWER_TEXT) break;
      problems.push(problem);
    }
    const next = offset + problems.length;
    return {
      valid: found.every(({ severity }) => severity !== 'error'),
      problems,
      ...(next < found.length && { leftOut: `${found.length - next} more problems; read on with offset ${next}.` }),
    };
  },
});

type Checked = Pick<ToolContext, 'signal' | 'locale' | 'engine'>;

async function checkText(content: string, reader: Reader, { signal, locale, engine }: Checked): Promise<Diagnostic[]> {
  if (!content.isWellFormed()) throw new AppError('E_ENCODING', 'The text holds broken characters.');
  const index = await currentProjectIndex(reader, { ...(await engine?.()), signal });
  return diagnoseScene(index, null, { locale, text: content });
}

/** The problems of files and folders, of the whole game for none; errors first. */
async function checkPlaces(places: readonly string[], reader: Reader, context: Checked): Promise<Diagnostic[]> {
  const { signal, locale, engine } = context;
  const files: { path: string; text: string }[] = [];
  for (const path of places) {
    const there = await reader.stat(path);
    if (there === null) throw await toMissing(reader, path);
    if (there.isDirectory) continue;
    if (!path.toLowerCase().endsWith('.txt')) throw toNoScript(path);
    files.push({ path, text: (await reader.read(path)).text });
  }
  const folders = places.filter((place) => !files.some(({ path }) => path === place));
  const index = await currentProjectIndex(reader, { ...(await engine?.()), signal });
  const inFolders = places.length > 0 && folders.length === 0 ? [] : diagnoseProject(index, { locale });
  const found = inFolders.filter(({ path }) => places.length === 0 || folders.some((place) => isIn(path, place)));
  for (const { path, text } of files) {
    if (folders.some((place) => isIn(path, place))) continue;
    // A script outside the scenes is checked as a fragment, without rules about its start and end.
    const place = isScene(path) || path === CONFIG_PATH ? path : null;
    found.push(...diagnoseScene(index, place, { locale, text }).map((problem) => ({ ...problem, path })));
  }
  return found.sort((a, b) => RANK[a.severity] - RANK[b.severity]);
}

function toNoScript(path: string): AppError {
  return new AppError('E_BAD_ARGS', `${path} is not a script, so it cannot be checked.`, {
    hint: 'Scenes are the .txt files under game/scene.',
  });
}

function isIn(path: string, place: string): boolean {
  return place === '.' || path === place || path.startsWith(`${place}/`);
}
