import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { toolText } from '../../shared/i18n/tools.ts';
import { Picture } from '../../shared/model/message/picture.ts';
import {
  toParamsSchema,
  ViewerActionId,
  ViewerArguments,
  type ViewerResult,
  viewerAction,
} from '../../shared/model/viewer.ts';
import { ProjectPath, toProjectPath } from '../../shared/paths/project-path.ts';
import { SCENE_FOLDER } from '../../shared/script/project-index/project-facts.ts';
import { toVisible } from '../../shared/text/shown-text.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import type { Reader } from '../core/ports/reader.ts';
import { readTool } from './support/tool-presets.ts';

const ViewerAnswer = z.object({
  success: z.boolean(),
  message: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  picture: Picture.optional(),
});

export const viewerActionTool = defineTool({
  ...readTool('viewer_action', { reason: 'shows' }),
  type: 'action',
  capability: 'app.viewer.act',
  version: '1.0.0',
  description:
    "Looks at the user's window or moves it: what is in view, going to a line, playing on, showing a scene on the map. It changes no file. " +
    'The actions and their params are listed under "Viewer API" in your instructions. Use it when the user asks to see something, or when you ' +
    'need to know what the user sees. The user can take over at any time.',
  input: z.strictObject({
    actionId: ViewerActionId.describe('Id of the action'),
    params: ViewerArguments.default({}).describe('Its params, by name'),
  }),
  output: ViewerAnswer,
  audience: 'window',
  inChat: 'played',
  sideEffects: 'May move the view of the window.',
  rateLimit: 120,
  timeout: 20_000,
  logged: ['actionId'],
  modelCalls: { aliases: { action: 'actionId', action_id: 'actionId', id: 'actionId', args: 'params' } },
  approval: { isInPlan: ({ actionId }) => viewerAction(actionId).effect === 'reads' },
  examples: [
    { actionId: 'navigate-to', params: { scene: 'game/scene/start.txt', line: 12 } },
    { actionId: 'describe-view' },
  ],
  pictures(output) {
    const { picture } = ViewerAnswer.parse(output);
    return picture ? [picture] : [];
  },
  needs: ['reader', 'viewer'],
  summarize: ({ actionId, params }) => {
    const target = toPaths(params)[0];
    return target === undefined
      ? toolText(`viewer_action.${toTextKey(actionId)}`)
      : toolText('viewer_action.goes', { path: toVisible(target) });
  },
  paths: ({ params }) => toPaths(params),
  async handler({ actionId, params }, { reader, viewer }, { signal }) {
    const parsed = toParamsSchema(actionId).safeParse(params);
    if (!parsed.success) {
      throw new AppError('E_BAD_ARGS', `${actionId}: ${z.prettifyError(parsed.error)}`, {
        hint: `Its params are ${JSON.stringify(Object.keys(viewerAction(actionId).params))}.`,
      });
    }
    const given = { ...parsed.data };
    for (const name of PATH_PARAMS) {
      const value = given[name];
      if (typeof value !== 'string') continue;
      const path = toProjectPath(toWritten(name, value));
      // Refuses what the rules of the game close.
      if ((await reader.stat(path)) === null) return { success: false, message: `There is no file "${path}".` };
      given[name] = path;
    }
    const answer = await withOpenWords(await viewer.act(actionId, given, signal), reader);
    return actionId === 'list-items' ? { ...answer, data: await withOpenItems(answer.data, reader) } : answer;
  },
});

const Shown = z.looseObject({ scene: z.string() });
const CLOSED = 'The rules of the game close the scene on the stage, so what it says and shows is left out.';

/** Leaves out what is on the stage while it plays a scene that the rules of the game close: the story leads there by itself. */
async function withOpenWords(answer: ViewerResult, reader: Reader): Promise<ViewerResult> {
  const { success, data } = answer;
  const scene = (Shown.safeParse(data).data ?? Shown.safeParse(data?.stage).data)?.scene;
  if (scene === undefined || (await isOpen(scene, reader))) return answer;
  const message = answer.message === undefined ? CLOSED : `${answer.message} ${CLOSED}`;
  const { choices: _, stage, ...view } = data ?? {};
  return { success, message, data: stage === undefined ? toWordless(view) : { ...view, stage: toWordless(stage) } };
}

/** Keeps where the story is, and that it runs. */
function toWordless(shown: unknown): Record<string, unknown> {
  return Where.safeParse(shown).data ?? {};
}

const Where = z.object({
  ...{ isOpen: z.boolean().optional(), isInOwnWindow: z.boolean().optional() },
  ...{ status: z.string().optional(), plays: z.string().nullable().optional() },
  ...{ scene: z.string(), line: z.number() },
});

function isOpen(path: string, reader: Reader): Promise<boolean> {
  return reader.stat(path).then(
    () => true,
    () => false,
  );
}

/** Leaves out the items that the rules of the game close. */
async function withOpenItems(data: ViewerResult['data'], reader: Reader): Promise<ViewerResult['data']> {
  const { data: listed } = Listed.safeParse(data);
  if (!listed) return data;
  const open = await Promise.all(listed.items.map(({ path }) => isOpen(path, reader)));
  return { ...listed, items: listed.items.filter((_, at) => open[at]) };
}

const Listed = z.looseObject({ items: z.array(z.looseObject({ path: z.string() })) });

const PATH_PARAMS = ['scene', 'path'];

/** A scene may be named as scripts name it: by its path in the folder of scenes. */
function toWritten(name: string, value: string): string {
  return name === 'scene' && !value.startsWith('game/') ? `${SCENE_FOLDER}${value}` : value;
}

function toPaths(params: ViewerArguments): string[] {
  return PATH_PARAMS.flatMap((name) => {
    const value = params[name];
    if (typeof value !== 'string') return [];
    const path = ProjectPath.safeParse(toWritten(name, value));
    return path.success ? [path.data] : [];
  });
}

const PLAYING: ReadonlySet<ViewerActionId> = new Set(['step', 'choose', 'set-variable', 'reload-stage']);

function toTextKey(actionId: ViewerActionId): 'looks' | 'plays' | 'moves' {
  if (viewerAction(actionId).effect === 'reads') return 'looks';
  return PLAYING.has(actionId) ? 'plays' : 'moves';
}
