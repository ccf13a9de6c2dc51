import { z } from 'zod';
import type { StageTransform } from '../../../../shared/model/stage/stage-look.ts';

/** The subprotocol that engines from 4.6 on request; older ones request none. */
export const NEWER_PROTOCOL = 'webgal-editor-preview-sync.v1';

/** The meaning of an engine's frame. `hello` must be answered before other messages are processed. */
export type EngineMessage =
  | { kind: 'hello'; answer: string }
  | { kind: 'ready' }
  | { kind: 'snapshot'; scene: string; line: number; stage: Record<string, unknown> };

/** The messages of one connected engine. Frames that are not understood parse to null, never to an error. */
export interface EngineProtocol {
  read(frame: string): EngineMessage | null;
  /** Lets the engine play music, which it does only after a click on its title. The logos before the title are left out. */
  enter(): string;
  jump(scene: string, line: number): string;
  /** Loads the styles of the template anew; the story stays where it is. */
  reloadStyles(): string;
  /** Runs statements on the stage as it is, without moving the story. */
  run(statements: string): string[];
  /** Changes how something on the stage looks; other effects on it stay. */
  setEffect(target: string, transform: StageTransform): string;
  showTextBox(isShown: boolean): string;
}

/** The engine's state after a click on its title. It would show the logos over the story. */
const ENTERED = { isShowLogo: false, isEnterGame: true };

/** Any JSON object. Unlike `z.record`, it is not copied: the game decides how many entries a state has. */
const State = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

const OldFrame = z.object({
  data: z.object({
    command: z.literal(1),
    sceneMsg: z.object({ scene: z.string(), sentence: z.int() }),
    stageSyncMsg: State,
  }),
});

const Snapshot = z.object({
  sceneName: z.string(),
  sentenceId: z.int(),
  stageState: State,
});

const NewFrame = z.discriminatedUnion('type', [
  z.object({ kind: z.literal('request'), type: z.literal('session.register-preview'), requestId: z.string().max(200) }),
  z.object({
    kind: z.literal('event'),
    type: z.literal('preview.ready.updated'),
    payload: z.object({ ready: z.literal(true) }),
  }),
  z.object({ kind: z.literal('event'), type: z.literal('stage.snapshot.updated'), payload: Snapshot }),
]);

function parse(frame: string): unknown {
  try {
    return JSON.parse(frame);
  } catch {
    return null;
  }
}

/** 4.5: numbered commands, no answers, the whole stage state once a second. */
const older: EngineProtocol = {
  read(frame) {
    const { data } = OldFrame.safeParse(parse(frame));
    if (!data) return null;
    const { sceneMsg, stageSyncMsg } = data.data;
    return { kind: 'snapshot', scene: sceneMsg.scene, line: Math.max(0, sceneMsg.sentence), stage: stageSyncMsg };
  },
  enter: () => toOldVisibility(ENTERED),
  jump: (scene, line) => toOldFrame(0, 'Sync', { scene, sentence: line }),
  reloadStyles: () => toOldFrame(4, ''),
  run: (statements) => [toOldFrame(3, statements)],
  setEffect: (target, transform) => toOldFrame(8, JSON.stringify({ target, transform })),
  showTextBox: (showTextBox) => toOldVisibility({ showTextBox }),
};

function toOldVisibility(parts: Record<string, boolean>): string {
  return toOldFrame(
    5,
    JSON.stringify(Object.entries(parts).map(([component, visibility]) => ({ component, visibility }))),
  );
}

function toOldFrame(command: number, message: string, sceneMsg: object = {}): string {
  return JSON.stringify({ event: 'message', data: { command, sceneMsg, stageSyncMsg: {}, message } });
}

/** 4.6: requests and events; an answer means “received”, not “done”. */
function createNewer(): EngineProtocol {
  let requests = 0;
  const toRequest = (command: string, payload: object): string => {
    requests += 1;
    const type = `preview.command.${command}`;
    return JSON.stringify({ kind: 'request', type, requestId: `stage-${requests}`, payload });
  };
  return {
    read(frame) {
      const { data } = NewFrame.safeParse(parse(frame));
      if (!data) return null;
      if (data.kind === 'request') {
        const { type, requestId } = data;
        return { kind: 'hello', answer: JSON.stringify({ kind: 'response', type, requestId, payload: {} }) };
      }
      if (data.type === 'preview.ready.updated') return { kind: 'ready' };
      const { sceneName, sentenceId, stageState } = data.payload;
      return { kind: 'snapshot', scene: sceneName, line: Math.max(0, sentenceId), stage: stageState };
    },
    enter: () => toRequest('set-component-visibility', ENTERED),
    jump: (scene, line) => toRequest('sync-scene', { sceneName: scene, sentenceId: line }),
    reloadStyles: () => toRequest('reload-templates', {}),
    // What a snippet changes is shown with the next change of the stage: this one changes nothing.
    run: (snippet) => [toRequest('run-snippet', { snippet }), toRequest('set-effect', { target: 'stage-main' })],
    setEffect: (target, transform) => toRequest('set-effect', { target, transform }),
    showTextBox: (showTextBox) => toRequest('set-component-visibility', { showTextBox }),
  };
}

/** Creates the protocol of a connection from the negotiated subprotocol. */
export function createEngineProtocol(subprotocol: string): EngineProtocol {
  return subprotocol === NEWER_PROTOCOL ? createNewer() : older;
}

/** Returns the state in a frame of either protocol; null if there is none. */
export function readSnapshot(frame: string): Extract<EngineMessage, { kind: 'snapshot' }> | null {
  const message = older.read(frame) ?? createNewer().read(frame);
  return message?.kind === 'snapshot' ? message : null;
}
