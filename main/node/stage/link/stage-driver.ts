import { setTimeout as delay } from 'node:timers/promises';
import { type StagePose, type StageTransform, toTransform } from '../../../../shared/model/stage/stage-look.ts';
import type { StoryValue } from '../../../../shared/model/stage.ts';
import type { DriverReply, EngineState, StageDriver } from '../../../core/ports/stage-driver.ts';
import type { BridgeConnections, Order } from './bridge-connections.ts';
import type { EngineConnections } from './engine-connections.ts';
import { type EngineProtocol, readSnapshot } from './engine-protocol.ts';
import type { JumpTexts } from './jump-texts.ts';
import { toAssignment } from './to-assignment.ts';
import { toStagePicture } from './to-stage-picture.ts';

/** The engine takes a value at once, but by another socket than the one that is asked for the result. */
const TAKE_TIMEOUT_MS = 1_500;
const TAKE_INTERVAL_MS = 20;

/** Creates the operations of the engine: orders to its page, and commands of its protocol. */
export function createStageDriver(options: {
  bridges: Pick<BridgeConnections, 'order'>;
  engines: Pick<EngineConnections, 'send'>;
  toReported: JumpTexts['toReported'];
}): StageDriver {
  const { bridges, engines, toReported } = options;
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
      ...toReported(shown.file ?? snapshot.scene),
    };
    if (answer.reason !== undefined) return { done: false, reason: answer.reason, state };
    return state ? { done: true, state } : { done: false, reason: 'not-ready', state };
  };

  const command = (
    toFrames: (state: EngineState) => (protocol: EngineProtocol) => string[],
    isTaken: (state: EngineState) => boolean,
  ): Promise<DriverReply> =>
    carryOut(
      () => send({ order: 'state' }),
      (state) => engines.send(toFrames(state)),
      isTaken,
    );

  const setVariable = async (name: string, value: StoryValue | null, isGlobal: boolean): Promise<DriverReply> => {
    const assignment = toAssignment(name, value, isGlobal);
    if (assignment === null) return { done: false, reason: 'unknown-name', state: null };
    return command(
      () => (protocol) => protocol.run(assignment),
      (state) => toVariable(state, name, isGlobal) === (value ?? undefined),
    );
  };

  const setPose = (target: string, pose: StagePose): Promise<DriverReply> => {
    const transform = toTransform(pose);
    return command(
      () => (protocol) => [protocol.setEffect(target, transform)],
      ({ stage }) => hasTransform(stage.effects, target, transform),
    );
  };

  const toggleTextBox = (): Promise<DriverReply> => {
    let isShown = false;
    return command(
      (state) => {
        isShown = !state.hasTextBox;
        return (protocol) => [protocol.showTextBox(isShown)];
      },
      ({ hasTextBox }) => hasTextBox === isShown,
    );
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
    setPose: (target, pose) => inOrder(() => setPose(target, pose)),
    toggleTextBox: () => inOrder(toggleTextBox),
    takePicture: () => inOrder(takePicture),
  };
}

/** Gives a command that has no answer, and reads the state until the engine shows its result. */
async function carryOut(
  read: () => Promise<DriverReply>,
  give: (state: EngineState) => void,
  isTaken: (state: EngineState) => boolean,
): Promise<DriverReply> {
  let reply = await read();
  if (!reply.done) return reply;
  give(reply.state);
  const end = performance.now() + TAKE_TIMEOUT_MS;
  while (reply.done && performance.now() < end) {
    reply = await read();
    if (reply.done && isTaken(reply.state)) return reply;
    await delay(TAKE_INTERVAL_MS);
  }
  return reply.done ? { done: false, reason: 'ignored', state: reply.state } : reply;
}

function toVariable({ stage, globals }: EngineState, name: string, isGlobal: boolean): unknown {
  const variables = isGlobal ? globals : stage.GameVar;
  if (typeof variables !== 'object' || variables === null || !Object.hasOwn(variables, name)) return undefined;
  return (variables as Record<string, unknown>)[name];
}

/** Returns whether the engine's list of effects, which is untrusted, has this transform. */
function hasTransform(effects: unknown, target: string, { position, scale, ...single }: StageTransform): boolean {
  const found = Array.isArray(effects) ? effects.find((each) => each?.target === target)?.transform : undefined;
  const isPair = (value: unknown, { x, y }: { x: number; y: number }): boolean =>
    typeof value === 'object' && value !== null && 'x' in value && 'y' in value && value.x === x && value.y === y;
  if (typeof found !== 'object' || found === null) return false;
  if (!isPair(found.position, position) || !isPair(found.scale, scale)) return false;
  return found.rotation === single.rotation && found.alpha === single.alpha;
}
