import type { StageReply, StoryValue } from '../../../../shared/model/stage.ts';
import type { DriverReply, StageDriver } from '../../ports/stage-driver.ts';
import { createPatience } from '../route/patience.ts';
import { stopReplay } from '../route/replay-route.ts';
import { toStateKey, waitForRest } from '../route/wait-for-rest.ts';
import { publish, type StageMemory } from './stage-memory.ts';
import { toShown } from './to-shown-place.ts';

/** More than a story has without a choice; one that goes round in a circle ends there. */
const MAX_SKIPPED = 2_000;
const MAX_SKIP_TIME_MS = 180_000;

/** Gives the running story an order, and returns what the stage shows then. */
export async function driveStory(
  stage: StageMemory,
  order: (driver: StageDriver) => Promise<DriverReply>,
): Promise<StageReply> {
  return toReply(stage, await order(stage.link.driver));
}

/**
 * Plays the running story on until it asks the player for something. `title`: no story runs; `no-choice`: it ended without asking.
 * Can be stopped as a replay can.
 */
export async function skipToChoice(stage: StageMemory): Promise<StageReply> {
  const { driver } = stage.link;
  stopReplay(stage);
  const mine = Symbol('skip');
  stage.skip = mine;
  stage.replayNote = { state: 'playing', choice: '' };
  publish(stage);
  const isOver = () => stage.skip !== mine || stage.isDisposed;
  const end = performance.now() + MAX_SKIP_TIME_MS;
  const mayGoOn = createPatience();
  const { state: first } = await driver.readState();
  // A busy page does not say that the story moved, but it shows another place.
  const isElsewhere = ({ state }: DriverReply): boolean =>
    !!first && !!state && toStateKey(state) !== toStateKey(first);
  const step = async (): Promise<DriverReply> => waitForRest(driver, await driver.step(), isOver);
  let reply = await step();
  let steps = 0;
  let hasMoved = false;
  while (!isOver() && (await mayGoOn(reply))) {
    if (steps >= MAX_SKIPPED || performance.now() > end) break;
    hasMoved ||= reply.done || isElsewhere(reply);
    steps += 1;
    reply = await step();
  }
  hasMoved ||= isElsewhere(reply);
  const isStopped = isOver();
  if (!isStopped) stopReplay(stage);
  const answer = toReply(stage, reply);
  if (isStopped) return { ...answer, failure: null };
  if (reply.done) return { ...answer, failure: 'endless' };
  if (hasMoved && (reply.reason === 'choice' || reply.reason === 'input')) return { ...answer, failure: null };
  return hasMoved && reply.reason === 'title' ? { ...answer, failure: 'no-choice' } : answer;
}

function toReply(stage: StageMemory, reply: DriverReply): StageReply {
  const { state } = reply;
  return {
    failure: reply.done ? null : reply.reason,
    shown: state && toShown(stage, state),
    choices: state?.choices ?? [],
  };
}

/** Sets a variable by hand; what the player does from then on is no route that a story test can repeat. */
export async function setVariable(
  stage: StageMemory,
  { name, value, isGlobal }: { name: string; value: StoryValue; isGlobal?: boolean | undefined },
): Promise<StageReply> {
  const reply = await driveStory(stage, (driver) => driver.setVariable(name, value, isGlobal));
  if (reply.failure === null) {
    stage.route.hasSetVariable = true;
    // Playing back keeps what the user set.
    if (isGlobal && stage.globalsBefore) stage.globalsBefore = { ...stage.globalsBefore, [name]: value };
    publish(stage);
  }
  return reply;
}
