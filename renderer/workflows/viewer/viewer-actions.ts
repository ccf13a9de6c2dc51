import { delay } from '../../../shared/async.ts';
import type { StageFailure, StageReply } from '../../../shared/model/stage.ts';
import { VIEWER_IDS, type ViewerActionId, type ViewerParams, type ViewerResult } from '../../../shared/model/viewer.ts';
import { api } from '../../api.ts';
import { editorStore, openFile, openText } from '../../state/documents/editor-store.ts';
import { markLines } from '../../state/marked-lines.ts';
import { scrollToLine } from '../../state/monaco/shown-code.ts';
import { setAssistantOpen, setStageOpen, showView, VIEWS, type View } from '../../state/navigation.ts';
import { isScene } from '../../state/project/file-kinds.ts';
import { reviewStore } from '../../state/review/review-store.ts';
import { isSecretShown } from '../../state/stage/stage-focus.ts';
import { stageArea } from '../../state/stage/stage-frame.ts';
import { reloadStage, showOnStage, stageStore } from '../../state/stage/stage-store.ts';
import { setStageLarge } from '../../state/stage/stage-view.ts';
import { isStageOut } from '../../state/stage/stage-window.ts';
import { showAsset, showOnMap } from '../show-file.ts';
import { toStoryValue } from '../stage/drive-stage.ts';
import { describeProblems, describeShown, describeStage, describeView } from './describe-view.ts';
import { describeArrival, describeForks, describeWay, findTarget, whyNotShown } from './navigation-reasons.ts';
import { whenPlayedBack, whenSettled, whenShown } from './when-shown.ts';
import { listItems } from './workspace-items.ts';

/** The engine reports a line before its pictures have faded in. */
const FADE_MS = 1500;
const PICTURE_FOLLOWS =
  'The picture follows, if you can see pictures. In a browser the letters may have another typeface: the words are in the data.';

type Handlers = { [A in ViewerActionId]: (params: ViewerParams<A>) => ViewerResult | Promise<ViewerResult> };

/** What the page does for each action of the assistant. The focus stays where the user has it. */
export const VIEWER_ACTIONS: Handlers = {
  async 'describe-view'() {
    await whenSettled();
    return { success: true, data: { ...describeView(), ...(await describeChoices()) } };
  },
  async 'list-items'({ viewer }) {
    const known = VIEWER_IDS.find((id) => id === viewer);
    if (!known)
      return { success: false, message: `There is no viewer "${viewer}". There are ${VIEWER_IDS.join(', ')}.` };
    return { success: true, data: await listItems(known) };
  },
  async 'navigate-to'({ scene, line, label }) {
    if (!isScene(scene)) return { success: false, message: `${scene} is no scene. Use open-asset for other files.` };
    const target = findTarget(await readScene(scene), { scene, line, label });
    if ('problem' in target) return { success: false, message: target.problem };
    showView('write');
    await openFile(scene, { line: target.line, keepsFocus: true });
    return showPlace(scene, target.line);
  },
  async 'select-lines'({ scene, from, to = from }) {
    const problem = await findLinesProblem(scene, { from, to });
    if (problem !== null) return { success: false, message: problem };
    showView('write');
    await openFile(scene, { line: from, endLine: to, keepsFocus: true });
    return { success: true, message: `Lines ${from} to ${to} of ${scene} are selected.` };
  },
  async highlight({ scene, from, to = from }) {
    const problem = await findLinesProblem(scene, { from, to });
    if (problem !== null) return { success: false, message: problem };
    showView('write');
    if (editorStore.getState().active !== scene) await openFile(scene, { line: from, keepsFocus: true });
    markLines({ path: scene, from, to });
    scrollToLine(from);
    return { success: true, message: `Lines ${from} to ${to} of ${scene} are marked for some seconds.` };
  },
  'ui:show-assistant'({ open = true }) {
    setAssistantOpen(open);
    return { success: true };
  },
  async step({ back = false }) {
    if (!back) return toDriven(await api.call('stage.step', {}));
    if (!stageStore.getState().stage.place)
      return { success: false, message: 'The stage shows nothing yet. Use navigate-to first.' };
    const { going, place } = await api.call('stage.back', {});
    if (going === 'none')
      return { success: false, message: 'There is no line before this one in the scene to stop at.' };
    const isBack = await (place === null ? whenPlayedBack() : whenShown(() => undefined, place));
    return isBack
      ? { success: true, data: describeStage() }
      : { success: false, message: 'The stage is not at the line before yet. Look again.', data: describeStage() };
  },
  async choose({ option }) {
    const looked = await api.call('stage.look', {});
    const { choices } = looked;
    // A busy engine did not say which there are.
    if (choices.length === 0 && looked.failure !== null) return toDriven(looked);
    const byText = choices.findIndex(({ text }) => text.trim() === option.trim()) + 1;
    const number = byText > 0 ? byText : /^\d{1,2}$/.test(option) ? Number(option) : 0;
    if (number < 1 || number > choices.length) {
      return { success: false, message: `The menu has no option ${JSON.stringify(option)}.`, data: { choices } };
    }
    return toDriven(await api.call('stage.choose', { option: number }));
  },
  async 'set-variable'({ name, value, global: isGlobal = false }) {
    return toDriven(await api.call('stage.setVariable', { name, value: toStoryValue(value), isGlobal }));
  },
  async 'capture-screenshot'({ window: isWindow = false }) {
    await whenSettled();
    const [choices] = await Promise.all([describeChoices(), delay(FADE_MS)]);
    const data = { ...describeStage(), ...choices };
    if (isSecretShown()) return { success: false, message: 'A field for a key is open, so no picture is taken.', data };
    const area = isWindow ? { x: 0, y: 0, width: window.innerWidth, height: window.innerHeight } : toStageArea();
    if (!area) return { success: false, message: 'The stage is not shown.', data };
    try {
      const { picture } = await api.call('stage.capture', { of: isWindow ? 'window' : 'stage', ...area });
      return { success: true, message: PICTURE_FOLLOWS, data, picture };
    } catch {
      return { success: false, message: 'No picture can be taken here. This is what the stage shows.', data };
    }
  },
  'reload-stage'() {
    reloadStage();
    return { success: true, message: 'The engine starts again.' };
  },
  'ui:show-stage'({ open = true }) {
    setStageOpen(open);
    return { success: true };
  },
  'ui:fullscreen'({ on = true }) {
    if (isStageOut()) return { success: false, message: 'The user has the stage in a window of its own.' };
    if (on) setStageOpen(true);
    setStageLarge(on);
    return { success: true };
  },
  'show-on-map'({ scene }) {
    showOnMap(scene);
    return { success: true, message: `The story map is open at ${scene}.` };
  },
  'open-asset'({ path }) {
    showAsset(path);
    return { success: true };
  },
  'ui:show-view'({ view }) {
    if (!isShowable(view)) return { success: false, message: `There is no view "${view}".` };
    showView(view);
    return { success: true };
  },
};

/** Where the stage is in this window; without a size where it is in a window of its own; null while it is not shown. */
function toStageArea(): ReturnType<typeof stageArea> {
  return isStageOut() ? { x: 0, y: 0, width: 0, height: 0 } : stageArea();
}

/** The options of the menu on the stage, which the engine does not report by itself. */
async function describeChoices(): Promise<{ choices?: StageReply['choices'] }> {
  const { choices } = await api.call('stage.look', {});
  return choices.length > 0 ? { choices: choices.slice(0, 20) } : {};
}

/** The views that the assistant may open: not the settings, where keys are typed. */
function isShowable(view: string): view is View {
  return VIEWS.some((one) => one === view) && view !== 'settings';
}

/** What the model receives for an order to the running story. */
const FAILURES: Record<StageFailure, string> = {
  closed: 'The stage is not open.',
  'not-ready': 'The engine has not started yet. Try once more.',
  'no-answer': 'The engine does not answer.',
  title: 'The story has not begun, or it has ended: the title is shown. Use navigate-to first.',
  choice: 'The story waits for a choice. Use choose.',
  input: 'The story waits for a text that the player types.',
  'no-choice': 'No menu is shown.',
  'no-option': 'The menu has no such option.',
  disabled: 'This option cannot be chosen now: its condition is not met.',
  waits: 'The story does not move on: it waits for something, such as a film, or there is no further line.',
  loading: 'A scene does not arrive.',
  busy: 'The page of the stage is busy; the story may have moved on. Look at the stage, then try once more.',
  endless: 'The story moves without end, without a line at which the player stops.',
  ignored: 'The engine did not take the value.',
  'unknown-name': 'This is no name of a variable.',
  failed: 'The stage could not do that.',
};

function toDriven({ failure, shown, choices }: StageReply): ViewerResult {
  const data = { ...(shown && describeShown(shown)), ...(choices.length > 0 && { choices: choices.slice(0, 20) }) };
  if (failure === null) return { success: true, data };
  // Why the story does not go on may be an error on its line.
  return { success: false, message: FAILURES[failure], data: { ...data, ...describeProblems() } };
}

/** Shows a line on the stage, with the proposal if it holds the scene, and reports what the stage shows then. */
async function showPlace(path: string, line: number): Promise<ViewerResult> {
  const source = toSource(path);
  const where = `${path} line ${line}`;
  const isShown = await whenShown(() => showOnStage({ path, line, source }), { path, line });
  const { stage } = stageStore.getState();
  if (isShown && stage.replay?.state !== 'playing') {
    const way = [describeArrival(stage, { path, line }), describeForks(stage), stage.way ? describeWay(stage.way) : ''];
    const data = { ...describeStage(), ...(await describeChoices()) };
    return { success: true, message: way.filter(Boolean).join(' '), data };
  }
  const why = whyNotShown(stage, { path, line });
  const message = `The editor is at ${where}. The stage does not show it: ${why}`;
  return { success: false, message, data: describeStage() };
}

function toSource(path: string): 'saved' | 'proposal' {
  return findProposed(path) ? 'proposal' : 'saved';
}

function findProposed(path: string) {
  return reviewStore.getState().proposal?.files.find((file) => file.path === path);
}

/** Returns why lines of a scene cannot be shown, for the model; null if they can. */
async function findLinesProblem(scene: string, { from, to }: { from: number; to: number }): Promise<string | null> {
  if (to < from || from < 1) return 'The lines must be in order and begin at 1.';
  const last = findTarget(await readScene(scene), { scene, line: to });
  return 'problem' in last ? last.problem : null;
}

/** Returns the text of a scene that the stage would play. */
async function readScene(path: string): Promise<string> {
  return findProposed(path)?.after ?? openText(path) ?? (await api.call('script.read', { path })).text;
}
