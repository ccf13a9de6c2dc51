import { z } from 'zod';

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
  jump(scene: string, line: number): string;
}

/** Any JSON object. Unlike `z.record`, it is not copied: a state has as many entries as the game wants. */
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
  jump: (scene, line) =>
    JSON.stringify({
      event: 'message',
      data: { command: 0, sceneMsg: { scene, sentence: line }, stageSyncMsg: {}, message: 'Sync' },
    }),
};

/** 4.6: requests and events; an answer means “received”, not “done”. */
function createNewer(): EngineProtocol {
  let requests = 0;
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
    jump(scene, line) {
      requests += 1;
      return JSON.stringify({
        kind: 'request',
        type: 'preview.command.sync-scene',
        requestId: `stage-${requests}`,
        payload: { sceneName: scene, sentenceId: line },
      });
    },
  };
}

/** Creates the protocol of a connection from the negotiated subprotocol. */
export function createEngineProtocol(subprotocol: string): EngineProtocol {
  return subprotocol === NEWER_PROTOCOL ? createNewer() : older;
}
