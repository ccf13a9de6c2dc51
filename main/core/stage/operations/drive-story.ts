import type { StageReply } from '../../../../shared/model/stage.ts';
import type { DriverReply, StageDriver } from '../../ports/stage-driver.ts';
import type { StageMemory } from './stage-memory.ts';
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
