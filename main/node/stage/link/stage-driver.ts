import { setTimeout as delay } from 'node:timers/promises';
import type { StoryValue } from '../../../../shared/model/stage.ts';
import type { DriverReply, EngineState, StageDriver } from '../../../core/ports/stage-driver.ts';
import type { BridgeConnections, Order } from './bridge-connections.ts';
import type { EngineConnections } from './engine-connections.ts';
import { readSnapshot } from './engine-protocol.ts';
import type { Jump } from './jump-texts.ts';
import { toAssignment } from './to-assignment.ts';
import { toStagePicture } from './to-stage-picture.ts';

/** The engine takes a value at once, but by another socket than the one that is asked for the result. */
const TAKE_TIMEOUT_MS = 1_500;
const TAKE_INTERVAL_MS = 20;

/** Creates the operations of the engine: orders to its page, and commands of its protocol. */
export function createStageDriver(options: {
  bridges: Pick<BridgeConnections, 'order'>;
  engines: Pick<EngineConnections, 'run'>;
  lastJump: () => Jump | null;
}): StageDriver {
  const { bridges, engines, lastJump } = options;
  let queue: Promise<unknown> = Promise.resolve();
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work);
    queue = result.catch(() => undefined);
    return result;
  };

  const send = async (order: Order): Promise<DriverReply> => {
    const answer = await bridges.order(order);
    if (answer === 'closed' || answer === 'no-answer') return { done: false, reason: answer, state: null };
    const { frame, ...shown } = answer.state;
    const snapshot = frame === null ? null : readSnapshot(frame);
    const state: EngineState | null = snapshot && {
      ...{ ...shown, scene: snapshot.scene.replace(/\?.*$/s, ''), line: snapshot.line, stage: snapshot.stage },
      jumped: (shown.file ?? snapshot.scene) === lastJump()?.scene,
    };
    if (answer.reason !== undefined) return { done: false, reason: answer.reason, state };
    return state ? { done: true, state } : { done: false, reason: 'not-ready', state };
  };

  const setVariable = async (name: string, value: StoryValue | null, isGlobal: boolean): Promise<DriverReply> => {
    const assignment = toAssignment(name, value, isGlobal);
    if (assignment === null) return { done: false, reason: 'unknown-name', state: null };
    let reply = await send({ order: 'state' });
    if (!reply.done) return reply;
    engines.run(assignment);
    const end = performance.now() + TAKE_TIMEOUT_MS;
    while (reply.done && performance.now() < end) {
      reply = await send({ order: 'state' });
      if (reply.done && toVariable(reply.state, name, isGlobal) === (value ?? undefined)) return reply;
      await delay(TAKE_INTERVAL_MS);
    }
    return reply.done ? { done: false, reason: 'ignored', state: reply.state } : reply;
  };

  const takePicture = async (): Promise<string | null> => {
    const answer = await bridges.order({ order: 'picture' });
    return answer === 'closed' || answer === 'no-answer' ? null : toStagePicture(answer.picture);
  };

  return {
    readState: () => inOrder(() => send({ order: 'state' })),
    step: () => inOrder(() => send({ order: 'step' })),
    choose: (option) => inOrder(() => send({ order: 'choose', option })),
    type: (text) => inOrder(() => send({ order: 'type', text })),
    setVariable: (name, value, isGlobal = false) => inOrder(() => setVariable(name, value, isGlobal)),
    takePicture: () => inOrder(takePicture),
  };
}

function toVariable({ stage, globals }: EngineState, name: string, isGlobal: boolean): unknown {
  const variables = isGlobal ? globals : stage.GameVar;
  if (typeof variables !== 'object' || variables === null || !Object.hasOwn(variables, name)) return undefined;
  return (variables as Record<string, unknown>)[name];
}
