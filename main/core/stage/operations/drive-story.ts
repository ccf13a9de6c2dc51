import type { StageReply, StoryValue } from '../../../../shared/model/stage.ts';
import type { DriverReply, StageDriver } from '../../ports/stage-driver.ts';
import { publish, type StageMemory } from './stage-memory.ts';
import { toShown } from './to-shown-place.ts';

/** Gives the running story an order, and returns what the stage shows then. */
export async function driveStory(
  stage: StageMemory,
  order: (driver: StageDriver) => Promise<DriverReply>,
): Promise<StageReply> {
  const reply = await order(stage.link.driver);
  const { state } = reply;
  return {
    failure: reply.done ? null : reply.reason,
    shown: state && toShown(stage, state),
    choices: state?.choices ?? [],
  };
}

/** Sets a variable by hand; what the player does from then on is no route that a story test can repeat. */
export async function setVariable(stage: StageMemory, name: string, value: StoryValue): Promise<StageReply> {
  const reply = await driveStory(stage, (driver) => driver.setVariable(name, value));
  if (reply.failure === null) {
    stage.route.hasSetVariable = true;
    publish(stage);
  }
  return reply;
}
