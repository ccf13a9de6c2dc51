import { findChosenOption } from '../../../../shared/model/playtest/chosen-option.ts';
import type { RouteStep } from '../../../../shared/model/stage/stage-route.ts';
import type { StageFailure, StageReplay } from '../../../../shared/model/stage.ts';
import { isStop } from '../../../../shared/script/story/stage-text.ts';
import { scanScene } from '../../../../shared/script/syntax/scan.ts';
import type { DriverReply, EngineState } from '../../ports/stage-driver.ts';
import { toMovedLine } from '../../text/moved-line.ts';
import { expectReport, sendJump } from '../operations/engine-timeouts.ts';
import { publish, type Replay, type StageMemory } from '../operations/stage-memory.ts';
import { toPlace } from '../operations/to-shown-place.ts';
import { createPatience } from './patience.ts';
import { clearRoute } from './played-route.ts';
import type { Sentence } from './sentence.ts';
import { hasMovedOn } from './to-stage-route.ts';
import { toStateKey, waitForRest } from './wait-for-rest.ts';

/** Longer ways are played on by hand. */
const MAX_STEPS = 2_000;
const MAX_TIME_MS = 60_000;
/** A page that takes no values takes its time for each. */
const MAX_RESTORE_MS = 10_000;
/** Where the player has to do something, which is done next. */
const ASKS: ReadonlySet<StageFailure> = new Set(['choice', 'input']);

/**
 * Remembers the way to the sentence on the stage, so that it is played back after the next jump. Not if the story did not move
 * since the last one: the jump itself shows the sentence then.
 */
export function keepRoute(stage: StageMemory): void {
  endSkip(stage);
  const { replay } = stage;
  if (replay) {
    // The one that plays ends when it sees another.
    stage.replay = { ...replay, hasBegun: false };
    return;
  }
  // Of a menu that is typed anew, half may be there: once it is whole, the way goes on.
  const { unreached, route } = stage;
  const isStill = unreached !== null && unreached.steps === route.steps.length && !stage.isAhead;
  const sentence = isStill ? unreached.sentence : toSentence(stage);
  if (!sentence) return;
  setReplay(stage, sentence);
  publish(stage);
}

/** Returns the sentence to which the player went since the last jump; null if that shows what is on the stage. */
export function toSentence(stage: StageMemory): Sentence | null {
  const { state, route, played } = stage;
  if (!hasMovedOn(stage) || !state.shown) return null;
  const { scene, line } = state.shown;
  const text = played?.path === scene ? played.text : null;
  const globals = stage.globalsBefore ?? stage.globals;
  return { ...{ scene, line, text, globals, isAfterSteps: stage.isAhead }, steps: [...route.steps] };
}

/** Has the next jump play the story on to a sentence. */
export function setReplay(stage: StageMemory, sentence: Sentence): void {
  stage.replay = { ...sentence, isBack: false, orders: null, hasBegun: false, isReloading: false };
  stage.replayNote = { state: 'playing', choice: '' };
}

/** Forgets the way: the user asked for another line. What was recorded until then is kept for the user to save. */
export function forgetRoute(stage: StageMemory): void {
  endSkip(stage);
  if (stage.route.isRecording) stage.endedRoute = { ...stage.route, isRecording: false };
  clearRoute(stage, false);
  stage.replay = null;
  stage.replayNote = null;
}

/**
 * Plays the way that the player took up to the stop before the present one. Returns false if the story was not played on, or plays
 * back already.
 */
export function replayToStopBefore(stage: StageMemory): boolean {
  const { shown } = stage.state;
  if (stage.replay) return false;
  // The stop before is behind the player, and that sentence ahead.
  stage.unreached = null;
  keepRoute(stage);
  const { arrival } = stage;
  const replay = stage.replay as Replay | null;
  if (!replay) return false;
  const isKnown = arrival?.scene === shown?.scene && arrival?.line === shown?.line && !replay.isAfterSteps;
  if (arrival && arrival.orders > 0 && isKnown) replay.orders = arrival.orders - 1;
  else replay.isBack = true;
  beginAgain(stage);
  return true;
}

/** Sends the engine to where the way begins, in the same text. */
function beginAgain(stage: StageMemory): void {
  const { run } = stage;
  if (!run) return;
  stage.run = { ...run, settledAt: null, isRepeated: false };
  stage.played = { path: run.path, text: run.text };
  stage.timers.clear('stuck');
  sendJump(stage);
  if (stage.isConnected) expectReport(stage);
}

/** Ends playing on to the next choice. */
function endSkip(stage: StageMemory): void {
  if (stage.skip) stage.replayNote = null;
  stage.skip = null;
}

/** Stops playing back, or on to the next choice, where the story is. */
export function stopReplay(stage: StageMemory): void {
  if (stage.skip) {
    endSkip(stage);
    publish(stage);
  }
  if (stage.replay) endReplay(stage, { state: 'stopped', choice: '' });
}

/** Plays the remembered way, once the engine is at its beginning. Never rejects because of the story. */
export async function replayRoute(stage: StageMemory): Promise<void> {
  const { replay } = stage;
  if (!replay || replay.hasBegun || replay.isReloading) return;
  replay.hasBegun = true;
  stage.route = { ...stage.route, steps: [], isOver: false };
  const target = await findTarget(stage, replay);
  const isOver = () => stage.replay !== replay || stage.isDisposed;
  const end = performance.now() + MAX_TIME_MS;
  const left = [...replay.steps];
  let before: { scene: string; line: number; shown: string } | null = null;
  const mayGoOn = createPatience();
  let orders = 0;
  let isDone = false;
  let isAnswer = false;
  await restoreGlobals(stage, isOver);
  let reply = await stage.link.driver.readState();
  for (let steps = 0; !isOver(); steps += 1) {
    const { state } = reply;
    const canMove = (await mayGoOn(reply)) || (!reply.done && ASKS.has(reply.reason));
    if (isOver()) return;
    if (steps > MAX_STEPS || performance.now() > end) return endReplay(stage, { state: 'stopped', choice: '' });
    if (!state) {
      if (!canMove) return endReplay(stage, { state: 'stopped', choice: '' });
      reply = await stage.link.driver.readState();
      isDone = false;
      continue;
    }
    const here = toPlace(stage, state);
    const shown = toStateKey(state);
    // A busy page carries out an order and does not say so in time.
    if (isDone || (before !== null && before.shown !== shown)) {
      orders += 1;
      if (isAnswer) left.shift();
    }
    const isAtLine = replay.isAfterSteps || isThere(target, here, before);
    const isAtSentence = left.length === 0 && isAtLine && !(replay.isBack && orders === 0);
    if (replay.orders === null ? isAtSentence : orders >= replay.orders) {
      if (!replay.isBack) return arrive(stage, { ...here, orders });
      stage.replay = { ...replay, isBack: false, orders: orders - 1, hasBegun: false };
      return beginAgain(stage);
    }
    if (!canMove) return endReplay(stage, { state: 'stopped', choice: '' });
    before = { ...here, shown };
    const next = await move(stage, state, left[0]);
    if (isOver()) return;
    if (!('reply' in next)) return endReplay(stage, next);
    isDone = next.reply.done;
    isAnswer = asksPlayer(state);
    reply = await waitForRest(stage.link.driver, next.reply, isOver);
  }
}

/**
 * Gives the variables that are kept for all stories the values that they had where the way began: by them the story may take another
 * way the second time.
 */
async function restoreGlobals({ link, globals, globalsBefore }: StageMemory, isOver: () => boolean): Promise<void> {
  if (globalsBefore === null) return;
  const end = performance.now() + MAX_RESTORE_MS;
  for (const name of new Set([...Object.keys(globals), ...Object.keys(globalsBefore)])) {
    if (isOver() || performance.now() > end) return;
    const before = globalsBefore[name] ?? null;
    if ((globals[name] ?? null) !== before) await link.driver.setVariable(name, before, true);
  }
}

/** Keeps the text of the scene to which the story came, to find its lines after a change. */
export async function rememberPlayed(stage: StageMemory): Promise<void> {
  const scene = stage.state.shown?.scene;
  stage.played = null;
  if (!scene || !stage.scenes.includes(scene)) return;
  const text = await stage.texts.read(scene, stage.state.place?.source ?? 'saved').catch(() => null);
  if (text !== null && stage.state.shown?.scene === scene) stage.played = { path: scene, text };
}

/** Returns whether the scene on the stage is another than the requested one and has changed since the story came to it. */
export async function isPlayedChanged(stage: StageMemory): Promise<boolean> {
  const { played, run } = stage;
  if (!played || played.path === run?.path) return false;
  return (await stage.texts.read(played.path, stage.state.place?.source ?? 'saved').catch(() => null)) !== played.text;
}

async function move(
  { link }: StageMemory,
  state: EngineState,
  next: RouteStep | undefined,
): Promise<{ reply: DriverReply } | StageReplay> {
  const { choices, hasInput } = state;
  if (!asksPlayer(state)) return { reply: await link.driver.step() };
  // A question, or a menu, that was not there before.
  if (next === undefined || (next.kind === 'input') !== hasInput) return { state: 'new-menu', choice: '' };
  const at = next.kind === 'input' ? 0 : findChosenOption(choices, next);
  if (at < 0) return { state: 'gone', choice: next.text.slice(0, 200) };
  return { reply: await (next.kind === 'input' ? link.driver.type(next.text) : link.driver.choose(at + 1)) };
}

const asksPlayer = ({ choices, hasInput }: EngineState): boolean => choices.length > 0 || hasInput;

interface Target {
  scene: string;
  line: number;
  /** True for a line at which the player need not stop. */
  canBePassed: boolean;
}

/** The sentence, or the first one behind it where it was deleted; from a line before a sentence that is there, the story only jumps. */
function isThere(
  target: Target,
  here: { scene: string; line: number },
  before: { scene: string; line: number } | null,
): boolean {
  if (here.scene !== target.scene) return false;
  const hasPassed = before?.scene === here.scene && before.line < target.line && here.line > target.line;
  return here.line === target.line || (hasPassed && target.canBePassed);
}

/** Returns where the sentence is in the text as it is now. */
async function findTarget(stage: StageMemory, { scene, line: before, text }: Replay): Promise<Target> {
  const now = await stage.texts.read(scene, stage.state.place?.source ?? 'saved').catch(() => null);
  if (now === null) return { scene, line: before, canBePassed: true };
  const line = text === null ? before : toMovedLine(text, now, before);
  const statement = scanScene(now)[line - 1];
  return { scene, line, canBePassed: !statement || !isStop(statement) || statement.argument('when') !== undefined };
}

function arrive(stage: StageMemory, arrival: StageMemory['arrival']): void {
  stage.arrival = arrival;
  endReplay(stage, null);
}

function endReplay(stage: StageMemory, note: StageReplay | null): void {
  const { replay, route } = stage;
  const isAtMenu = note !== null && note.state !== 'stopped' && replay !== null && replay.orders === null;
  stage.unreached = isAtMenu && !replay.isBack ? { sentence: replay, steps: route.steps.length } : null;
  stage.replay = null;
  stage.replayNote = note;
  publish(stage);
}
