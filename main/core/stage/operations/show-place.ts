import { AppError } from '../../../../shared/errors.ts';
import type { TakenWay } from '../../../../shared/model/stage/stage-orders.ts';
import type { StagePlace, StageRequest } from '../../../../shared/model/stage.ts';
import { SCENE_FOLDER, START_PATH } from '../../../../shared/script/project-index/project-facts.ts';
import { toStageText, toStandingLine } from '../../../../shared/script/story/stage-text.ts';
import { findStoryWay, type WayScene } from '../../../../shared/script/story/story-way.ts';
import { scanScene } from '../../../../shared/script/syntax/scan.ts';
import { toReferences } from '../problems/find-reference.ts';
import type { Suspect } from '../problems/problem-searches.ts';
import { toProblem } from '../problems/to-problem.ts';
import { clearRoute } from '../route/played-route.ts';
import { forgetRoute, isPlayedChanged, keepRoute, setReplay } from '../route/replay-route.ts';
import type { Sentence } from '../route/sentence.ts';
import { recallEntry, recallPicks, rememberWay, toForks, toStageWay } from '../route/take-way.ts';
import type { SceneRoute } from '../scenes/scene-routes.ts';
import { expectReport, sendJump } from './engine-timeouts.ts';
import { attempt, publish, type StageMemory } from './stage-memory.ts';

/**
 * Debounce of requests: a held arrow key requests many lines, of which only the last is shown. The page sends every line, so
 * this is the only delay between a cursor move and the jump.
 */
const SHOW_DELAY_MS = 80;
/** Debounce of text changes by the user or the assistant. */
const FOLLOW_DELAY_MS = 40;
/** Minimum interval between jumps, because older engines render every jump and keys may repeat slower than the debounce. */
const JUMP_INTERVAL_MS = 250;

/** Requests a place, debounced. */
export function showPlace(stage: StageMemory, { isMoved = false, ...place }: StageRequest): void {
  // Only scenes can be played.
  if (!place.path.startsWith(SCENE_FOLDER)) return;
  // A request for the current line after the user played on jumps back to it.
  const isElsewhere = stage.last !== null && (!stage.last.jumped || stage.last.line !== stage.run?.settledAt);
  const { place: before } = stage.state;
  const isSamePlace = before?.path === place.path && before.line === place.line;
  // The same line of another text: the story is played back to where it was.
  const keepsRoute = isMoved || (isSamePlace && before.source !== place.source);
  if (keepsRoute) keepRoute(stage);
  else forgetRoute(stage);
  applyLater(stage, SHOW_DELAY_MS, isElsewhere && !isMoved);
  publish(stage, { place });
}

/** Shows a line, and plays the story on to a sentence behind it; null: the line itself. */
export function showSentence(stage: StageMemory, place: StagePlace, sentence: Sentence | null): void {
  forgetRoute(stage);
  if (sentence) {
    setReplay(stage, sentence);
    stage.globalsBefore = sentence.globals;
  }
  publish(stage, { place });
  applyLater(stage, SHOW_DELAY_MS, true);
}

/**
 * Follows Terre, which moved the story: its place is the requested one from then on, and reports are no longer of the app's jump. For
 * a text of Terre's own, given as null, the requested place stays.
 */
export function followLead(stage: StageMemory, { scene, line }: { scene: string | null; line: number }): void {
  const path = `${SCENE_FOLDER}${scene}`;
  forgetRoute(stage);
  stage.timers.clear('apply');
  stage.awaitsJump = false;
  stage.turn += 1;
  stage.run = null;
  stage.isLed = true;
  // It was of another place.
  stage.last = null;
  publish(stage, stage.scenes.includes(path) ? { place: { path, line: Math.max(1, line), source: 'saved' } } : {});
  attempt(stage, refreshSuspects(stage));
}

/** Shows the requested line by another way, and remembers it for the scene. */
export function takeWay(stage: StageMemory, way: TakenWay): void {
  if (!rememberWay(stage, way)) return;
  forgetRoute(stage);
  applyLater(stage, 0, true);
}

/** Begins the game anew and records what the player does, or ends the recording, keeps the route and dismisses one that was ended. */
export function recordRoute(stage: StageMemory, isRecording: boolean): void {
  if (isRecording) forgetRoute(stage);
  stage.endedRoute = null;
  if (!isRecording) {
    stage.route.isRecording = false;
    publish(stage);
    return;
  }
  clearRoute(stage, true);
  publish(stage, { place: { path: START_PATH, line: 1, source: stage.state.place?.source ?? 'saved' } });
  applyLater(stage, 0, true);
}

/** Sends the engine to the same line after a change of the text. */
export function followText(stage: StageMemory): void {
  applyLater(stage, FOLLOW_DELAY_MS, false);
}

function applyLater(stage: StageMemory, debounce: number, isForced: boolean): void {
  stage.awaitsJump = true;
  const untilNextJump = stage.jumpedAt + JUMP_INTERVAL_MS - performance.now();
  stage.timers.set('apply', Math.max(debounce, untilNextJump), () => attempt(stage, applyPlace(stage, isForced)));
}

/** Sends the engine to the requested line of the current text. Unless forced, only if line or text changed. */
export async function applyPlace(stage: StageMemory, isForced: boolean): Promise<void> {
  stage.turn += 1;
  const mine = stage.turn;
  const isOver = () => mine !== stage.turn || stage.isDisposed;
  try {
    await goToPlace(stage, isForced, isOver);
  } finally {
    if (!isOver()) stage.awaitsJump = false;
  }
}

async function goToPlace(stage: StageMemory, isForced: boolean, isOver: () => boolean): Promise<void> {
  const { link, proposals, problems, texts } = stage;
  if (stage.state.place?.source === 'proposal' && proposals.played().size === 0) {
    publish(stage, { place: { ...stage.state.place, source: 'saved' } });
  }
  const { place } = stage.state;
  link.setOverlay(texts.overlay(place?.source ?? 'saved'));
  if (!place) return;
  let text: string;
  try {
    text = await texts.read(place.path, place.source);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (isOver()) return;
    const reason = error.code === 'E_NOT_FOUND' ? 'missing-scene' : 'script-error';
    problems.block(toProblem(reason, error.code === 'E_NOT_FOUND' ? place.path : error.message, null));
    stage.run = null;
    stage.isLed = false;
    // There is no way to play back.
    forgetRoute(stage);
    return refreshSuspects(stage);
  }
  const isChanged = await isPlayedChanged(stage);
  const before = await findBefore(stage, place);
  if (isOver()) return;
  problems.block(null);
  jump(stage, { place, text, before, isForced, isChanged });
  stage.awaitsJump = false;
  // After the jump, because listing thousands of scenes takes longer than the jump.
  if (!stage.scenes.includes(place.path) || place.source !== stage.listed) {
    const known = await texts.list(place.source);
    if (isOver()) return;
    stage.scenes = known;
    stage.listed = place.source;
  }
  await refreshSuspects(stage);
}

/** What comes before the scene on the stage. */
interface Before {
  route: SceneRoute;
  scenes: WayScene[];
}

async function findBefore(stage: StageMemory, { path, source }: StagePlace): Promise<Before> {
  const route = await stage.routes.find(path, source, recallEntry(stage, path));
  const scenes = route.scenes.map(async ({ path: scene, at, ...option }): Promise<WayScene> => {
    const statements = await stage.texts.statements(scene, source);
    return { path: scene, statements, target: at, ...option, picks: recallPicks(stage, scene, statements) };
  });
  return { route, scenes: await Promise.all(scenes) };
}

interface Jump {
  place: StagePlace;
  text: string;
  before: Before;
  isForced: boolean;
  isChanged: boolean;
}

function jump(stage: StageMemory, { place, text, before, isForced, isChanged }: Jump): void {
  const { path } = place;
  const statements = scanScene(text);
  const line = toStandingLine(statements, place.line);
  const picks = recallPicks(stage, path, statements);
  const way = findStoryWay([...before.scenes, { path, statements, target: Math.max(1, line) - 1, picks }]);
  const prepared = toStageText(text, line, way);
  const { run } = stage;
  const isSame = run?.path === path && run.line === line && run.text === text && run.prepared.text === prepared.text;
  if (!isForced && isSame && !isChanged) return;
  if (!isForced) keepRoute(stage);
  const { route } = before;
  stage.forks = toForks(way, {
    ...{ path, route, entry: recallEntry(stage, path) },
    picks: [...before.scenes.map((scene) => scene.picks), picks],
  });
  stage.way = toStageWay(way, route, path);
  stage.played = { path, text };
  stage.isLed = false;
  stage.run = { path, asked: place.line, line, text, prepared, settledAt: null, isRepeated: false };
  stage.problems.restart();
  const sent = statements[line - 1];
  if (sent) stage.problems.noteSent(sent);
  stage.timers.clear('stuck');
  sendJump(stage);
  if (stage.isConnected) expectReport(stage);
}

/** Reads the scenes that may cause problems, and publishes the problems with their lines. */
export async function refreshSuspects(stage: StageMemory): Promise<void> {
  await readSuspects(stage);
  publish(stage);
}

/** Reads the scenes that may cause problems: the requested and the displayed one, and all others if files are missing. */
async function readSuspects(stage: StageMemory): Promise<void> {
  const { state, texts, problems } = stage;
  const source = state.place?.source ?? 'saved';
  const near = [...new Set([state.place?.path, state.shown?.scene])].filter((path) => path !== undefined);
  const read = (path: string): Promise<Suspect> =>
    texts.statements(path, source).then((statements) => ({ path, statements }));
  // Scene by scene: for all of a large game at once it would block the app.
  const readWithReferences = async (path: string): Promise<Suspect> => {
    const suspect = await read(path);
    toReferences(suspect.statements);
    return suspect;
  };
  const nearby = await Promise.all(near.filter((path) => path.startsWith(SCENE_FOLDER)).map(read));
  const far = problems.hasFiles()
    ? await Promise.all(stage.scenes.filter((path) => !near.includes(path)).map(readWithReferences))
    : [];
  stage.suspects = nearby;
  stage.others = far;
}
