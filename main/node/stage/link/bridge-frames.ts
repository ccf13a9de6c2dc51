import { z } from 'zod';
import { StageFailure, StoryValue } from '../../../../shared/model/stage.ts';
import { MAX_PICTURE_CHARACTERS } from '../scripts/stage-picture-script.ts';

const MAX_TEXT_LENGTH = 2000;
const MAX_PATH_LENGTH = 1000;
const MAX_CHOICES = 50;

const Trouble = z.object({
  kind: z.literal('trouble'),
  level: z.enum(['error', 'exception', 'warning', 'blocked', 'endless', 'empty-menu']),
  /** Where the engine was. */
  at: z.object({ file: z.string().max(MAX_PATH_LENGTH), line: z.int().min(0) }).nullish(),
  // Before any pattern is applied to it.
  text: z.string().transform((text) => text.slice(0, MAX_TEXT_LENGTH)),
});

/** Its size is that of a message. */
const Globals = z.record(z.string(), StoryValue);

const Answer = z.object({
  kind: z.literal('answer'),
  id: z.int(),
  reason: StageFailure.optional(),
  /** A picture in base64, as the order asked for. */
  picture: z.string().max(MAX_PICTURE_CHARACTERS).optional(),
  state: z.object({
    /** What the engine last sent to its editor; its size is that of a message. */
    frame: z.string().nullable(),
    file: z.string().max(MAX_PATH_LENGTH).nullable(),
    globals: Globals.optional(),
    choices: z.array(z.object({ text: z.string().max(MAX_TEXT_LENGTH), isEnabled: z.boolean() })).max(MAX_CHOICES),
    hasInput: z.boolean(),
    isOnTitle: z.boolean(),
    hasTextBox: z.boolean(),
  }),
});
export type BridgeAnswer = z.infer<typeof Answer>;

const Seen = z.object({ kind: z.literal('seen'), isVisible: z.boolean() });

const Chose = z.object({
  kind: z.literal('chose'),
  text: z.string().max(MAX_TEXT_LENGTH),
  nth: z.int().min(1).max(MAX_CHOICES),
});

const Typed = z.object({ kind: z.literal('typed'), text: z.string().max(MAX_TEXT_LENGTH) });

const Title = z.object({ kind: z.literal('title') });

const ToldGlobals = z.object({ kind: z.literal('globals'), globals: Globals });

const BridgeFrame = z.discriminatedUnion('kind', [Trouble, Answer, Seen, Chose, Typed, Title, ToldGlobals]);
export type BridgeFrame = z.infer<typeof BridgeFrame>;

/** Returns the message of a page, which the game can forge; null if it is none. */
export function readBridgeFrame(text: string): BridgeFrame | null {
  try {
    return BridgeFrame.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
