import { z } from 'zod';
import { ErrorData } from '../errors.ts';
import { ChangeSummary } from './change-summary.ts';
import { LocalText } from './text.ts';

export const ChatMode = z.enum(['plan', 'act']);
export type ChatMode = z.infer<typeof ChatMode>;

/** Tokens as the provider counted them; `input` is the total, cached ones included. */
export const Usage = z.object({
  input: z.int().min(0),
  cached: z.int().min(0),
  output: z.int().min(0),
});
export type Usage = z.infer<typeof Usage>;

/** Why a turn ended. `review` and `answer` wait for the writer; the last four say which guard stopped it. */
export const TurnEnd = z.enum([
  'done',
  'review',
  'answer',
  'stopped',
  'error',
  'interrupted',
  'steps',
  'repeat',
  'junk',
  'time',
]);
export type TurnEnd = z.infer<typeof TurnEnd>;

const base = { id: z.string(), turn: z.string(), at: z.number() };

/** The question put to the user before a step of the assistant. The session log and the chat store the same fields. */
export const consentQuestion = {
  tool: z.string(),
  title: LocalText,
  /** What the call would do, as a sentence. */
  summary: LocalText,
  /** Why the user is asked (`chat:consent.why.<why>`). */
  why: z.string(),
  paths: z.array(z.string()),
  /** Word for word what would be run. */
  detail: z.string().optional(),
  /** What it would do to texts. */
  change: ChangeSummary.optional(),
  /** False where allowing it for good would not count. */
  canAlways: z.boolean(),
};

/**
 * A row of the chat. The list is a projection of the session log: the page never infers state from it, and a reload
 * shows the same rows.
 */
export const ChatItem = z.discriminatedUnion('kind', [
  z.object({ ...base, kind: z.literal('user'), text: z.string(), mode: ChatMode, context: z.string().optional() }),
  z.object({ ...base, kind: z.literal('assistant'), text: z.string(), streaming: z.boolean() }),
  z.object({ ...base, kind: z.literal('thinking'), text: z.string(), streaming: z.boolean() }),
  z.object({
    ...base,
    kind: z.literal('tool'),
    tool: z.string(),
    /** What it did, as a sentence for the writer. */
    summary: LocalText,
    /** `refused`: by the user, the settings, the mode or the game's rules; nothing went wrong. */
    state: z.enum(['running', 'done', 'failed', 'refused']),
    /** Files the call is about, for links. */
    paths: z.array(z.string()),
    error: ErrorData.optional(),
  }),
  z.object({
    ...base,
    kind: z.literal('note'),
    level: z.enum(['info', 'success', 'warning', 'error', 'progress']),
    title: z.string().optional(),
    text: z.string(),
  }),
  z.object({
    ...base,
    kind: z.literal('plan'),
    /** Text around the steps. */
    text: z.string(),
    steps: z.array(z.object({ text: z.string(), state: z.enum(['waiting', 'active', 'done']) })),
    state: z.enum(['ready', 'running', 'done', 'dropped']),
  }),
  z.object({
    ...base,
    kind: z.literal('question'),
    text: z.string(),
    options: z.array(z.string()),
    /** Null while she has not answered. */
    answer: z.string().nullable(),
  }),
  z.object({ ...base, kind: z.literal('completion'), text: z.string() }),
  z.object({
    ...base,
    kind: z.literal('review'),
    proposal: z.string(),
    state: z.enum(['pending', 'accepted', 'rejected', 'replaced']),
    files: z.array(z.object({ path: z.string(), added: z.int(), removed: z.int() })),
    feedback: z.string().optional(),
    /** History group to go back to, once accepted. */
    group: z.string().optional(),
  }),
  z.object({
    ...base,
    kind: z.literal('consent'),
    ...consentQuestion,
    /** `ended`: the turn was over before she answered. */
    state: z.enum(['pending', 'once', 'always', 'no', 'ended']),
  }),
  z.object({ ...base, kind: z.literal('end'), reason: TurnEnd, error: ErrorData.optional() }),
]);
export type ChatItem = z.infer<typeof ChatItem>;

/** Her word on one step of the assistant's. `always` is kept in the settings. */
export const ConsentAnswer = z.enum(['once', 'always', 'no']);
export type ConsentAnswer = z.infer<typeof ConsentAnswer>;

/** What the assistant is doing now; the one thing buttons and spinners are drawn from. */
export const ChatPhase = z.enum(['idle', 'model', 'tool', 'consent', 'answer', 'review']);
export type ChatPhase = z.infer<typeof ChatPhase>;

export const ChatState = z.object({
  session: z.string(),
  title: z.string(),
  phase: ChatPhase,
  /** The newest rows. */
  items: z.array(ChatItem),
  /** How many rows there are before them; see `chat.earlier`. */
  earlier: z.int().min(0),
  /** True for the practice assistant of the guided tour: no model is behind it. */
  practice: z.boolean(),
  /** True for a conversation that this installation did not write, or that was changed since: it can only be read. */
  isForeign: z.boolean(),
  turnUsage: Usage,
  sessionUsage: Usage,
});
export type ChatState = z.infer<typeof ChatState>;

export const SessionSummary = z.object({
  id: z.string(),
  title: z.string(),
  at: z.number(),
  /** Came with the game: it can be read and not continued. */
  isForeign: z.boolean(),
});
export type SessionSummary = z.infer<typeof SessionSummary>;
