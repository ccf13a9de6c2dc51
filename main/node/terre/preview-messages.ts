import { z } from 'zod';

/**
 * What passes between an engine on the stage and WebGAL Terre, in both protocols of their socket: an engine's reports to Terre, and
 * Terre's orders to a preview. Each message is written anew from what was understood; all else is left out. Nothing that an engine
 * sends is an order to Terre or to another preview of it.
 */

/** A name below game/scene as engines load it; with a query it would be a text of the app's. */
const Scene = z
  .string()
  .min(1)
  .max(300)
  .regex(/^[^?#\\:*"<>|]+$/)
  .refine((name) => name.split('/').every((part) => part !== '' && part !== '.' && part !== '..'));
const Line = z.int().min(0).max(1_000_000);

/** Any JSON object; the engine's state has no other limit than that of a frame. */
const AnyObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

const event = <T extends string, P extends z.ZodType>(type: T, payload: P) =>
  z.object({ kind: z.literal('event'), type: z.literal(type), payload });

const NewerReport = z.discriminatedUnion('type', [
  z.object({
    kind: z.literal('request'),
    type: z.literal('session.register-preview'),
    requestId: z.string().max(200),
    payload: z.object({ gameId: z.string().max(300).optional() }),
  }),
  event('preview.ready.updated', z.object({ ready: z.boolean() })),
  event('stage.snapshot.updated', z.object({ sceneName: Scene, sentenceId: Line, stageState: AnyObject })),
]);

const OlderReport = z.object({
  event: z.literal('message'),
  data: z.object({
    command: z.literal(1),
    sceneMsg: z.object({ scene: Scene, sentence: Line }),
    stageSyncMsg: AnyObject,
    message: z.string().max(100),
  }),
});

/** Returns the engine's report as Terre receives it; null for all else, and for reports of texts that are the app's own. */
export function toTerreReport(frame: string, isNewer: boolean): string | null {
  const { data } = (isNewer ? NewerReport : OlderReport).safeParse(parse(frame));
  return data ? JSON.stringify(data) : null;
}

/** An order of Terre's to a preview. `moves`: where the story goes; `scene` is null for a text of Terre's. */
export interface TerreOrder {
  frame: string;
  moves: { scene: string | null; line: number } | null;
}

const order = <T extends string, P extends z.ZodType>(type: T, payload: P) =>
  z.object({
    kind: z.literal('request'),
    type: z.literal(`preview.command.${type}`),
    requestId: z.string().max(200),
    payload,
  });

const NewerOrder = z.discriminatedUnion('type', [
  order('sync-scene', z.object({ sceneName: Scene, sentenceId: Line })),
  order('run-scene-content', z.object({ sceneContent: z.string() })),
  order('run-snippet', z.object({ snippet: z.string() })),
  order('reload-templates', z.object({})),
  order('set-effect', AnyObject),
  order('set-component-visibility', AnyObject),
  order('set-font-optimization', z.object({ enabled: z.boolean() })),
  order('set-text-read-mode', z.object({ isRead: z.boolean() })),
]);

/** The numbers of the same orders: jump, statements, styles, visibility, text of a scene, fonts, effect, read texts. */
const [JUMP, TEXT] = [0, 6] as const;
const OlderOrder = z.object({
  event: z.literal('message'),
  data: z.object({
    command: z.literal([JUMP, 3, 4, 5, TEXT, 7, 8, 10]),
    sceneMsg: z.object({ scene: z.string().max(300), sentence: Line }).partial(),
    stageSyncMsg: AnyObject,
    message: z.string(),
  }),
});

/** Returns Terre's order as the engine receives it; null for all else. */
export function toTerreOrder(frame: string, isNewer: boolean): TerreOrder | null {
  return isNewer ? toNewerOrder(frame) : toOlderOrder(frame);
}

function toNewerOrder(frame: string): TerreOrder | null {
  const { data } = NewerOrder.safeParse(parse(frame));
  if (!data) return null;
  const text = JSON.stringify(data);
  if (data.type === 'preview.command.sync-scene')
    return { frame: text, moves: { scene: data.payload.sceneName, line: data.payload.sentenceId } };
  return { frame: text, moves: data.type === 'preview.command.run-scene-content' ? { scene: null, line: 0 } : null };
}

function toOlderOrder(frame: string): TerreOrder | null {
  const { data } = OlderOrder.safeParse(parse(frame));
  if (!data) return null;
  const { command, sceneMsg } = data.data;
  const text = JSON.stringify(data);
  if (command !== JUMP) return { frame: text, moves: command === TEXT ? { scene: null, line: 0 } : null };
  const scene = Scene.safeParse(sceneMsg.scene).data;
  return scene === undefined ? null : { frame: text, moves: { scene, line: sceneMsg.sentence ?? 0 } };
}

function parse(frame: string): unknown {
  try {
    return JSON.parse(frame);
  } catch {
    return null;
  }
}
