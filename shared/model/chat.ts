import { z } from 'zod';
import { ErrorData } from '../errors.ts';
import { Asset } from './asset/asset.ts';
import { capQuestion } from './cost/cap.ts';
import { UsageTotal } from './cost/usage.ts';
import { LocalText } from './local-text.ts';
import { consentQuestion } from './message/consent-question.ts';
import { DiskChangeGroup } from './message/disk-change.ts';
import { Mention } from './message/mention.ts';
import { Picture, PictureId } from './message/picture.ts';
import { PlanCheck, PlanValidation, ShownStep } from './plan/patch.ts';

export const ChatMode = z.enum(['plan', 'act']);
export type ChatMode = z.infer<typeof ChatMode>;

/** Why a turn ended. `review` and `answer` wait for the user; the last four name the guard that stopped it. */
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

/** How finished calls of a tool are counted in the chat, as in “read 2 scenes · checked the script”. */
export const ToolAction = z.enum([
  'read',
  'looked',
  'searched',
  'checked',
  'drafted',
  'played',
  'ran',
  'skill',
  'other',
]);
export type ToolAction = z.infer<typeof ToolAction>;

/** A part of long work: a step of the plan that is carried out, or an item of the assistant's own list. */
export const TodoItem = z.object({ text: z.string(), state: z.enum(['waiting', 'active', 'done']) });
export type TodoItem = z.infer<typeof TodoItem>;

/** Versions of a passage to choose from: of the lines `from` to `to`, or of new lines where `to` is one less than `from`. */
export const OfferedVersions = z.object({
  path: z.string(),
  from: z.int(),
  to: z.int(),
  /** The present text of the lines. */
  before: z.string(),
  texts: z.array(z.string()),
});
export type OfferedVersions = z.infer<typeof OfferedVersions>;

const base = {
  id: z.string(),
  turn: z.string(),
  at: z.number(),
  /** What set the row aside; it does not count for the assistant. */
  aside: z.string().optional(),
};

/**
 * A row of the chat. The list is a projection of the session log: the page never infers state from it, and a reload
 * shows the same rows.
 */
export const ChatItem = z.discriminatedUnion('kind', [
  z.object({
    ...base,
    kind: z.literal('user'),
    text: z.string(),
    mode: ChatMode,
    context: z.string().optional(),
    /** Sent while the assistant worked, and delivered between two of its steps. */
    steer: z.boolean().optional(),
    mentions: z.array(Mention).optional(),
    pictures: z.array(Picture).optional(),
  }),
  z.object({ ...base, kind: z.literal('assistant'), text: z.string(), streaming: z.boolean() }),
  z.object({ ...base, kind: z.literal('thinking'), text: z.string(), streaming: z.boolean() }),
  z.object({
    ...base,
    kind: z.literal('tool'),
    tool: z.string(),
    action: ToolAction,
    /** What the call did, as a sentence for the user. */
    summary: LocalText,
    /** `refused`: by the user, the settings, the mode or the policy; this is not a failure. */
    state: z.enum(['running', 'done', 'failed', 'refused']),
    /** What a running call does now. */
    progress: LocalText.optional(),
    /** Files that the call refers to, for links. */
    paths: z.array(z.string()),
    /** Pictures and sounds that it returned. */
    assets: z.array(Asset).optional(),
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
    steps: z.array(ShownStep),
    /** Of the ticked steps. */
    assessment: PlanValidation,
    state: z.enum(['ready', 'running', 'done', 'dropped']),
    /** The last dry run, if the plan is the same since; null: none. */
    check: PlanCheck.nullable(),
    /** The id under which it is saved where it cannot run as it is. */
    saved: z.string(),
  }),
  z.object({
    ...base,
    kind: z.literal('question'),
    text: z.string(),
    options: z.array(z.string()),
    /** True if more than one option may be chosen. */
    multiple: z.boolean(),
    /** The options are the titles of these versions. */
    versions: OfferedVersions.optional(),
    /** The options that the user chose. */
    chosen: z.array(z.string()),
    /** The user's own words, which may be blank beside an option. Null until the user answers. */
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
    /** History group to restore, once accepted. */
    group: z.string().optional(),
    /** Of the accepted files, those whose change is not on the disk any more. */
    undone: z.array(z.string()).optional(),
  }),
  z.object({
    ...base,
    kind: z.literal('consent'),
    ...consentQuestion,
    /** `ended`: the turn ended before the user answered. */
    state: z.enum(['pending', 'once', 'always', 'no', 'ended']),
  }),
  z.object({
    ...base,
    kind: z.literal('cap'),
    ...capQuestion,
    /** `ended`: the turn ended before the user answered. */
    state: z.enum(['pending', 'on', 'stop', 'ended']),
  }),
  z.object({
    ...base,
    kind: z.literal('summary'),
    text: z.string(),
    /** `used`: the model receives it in place of the rows above. */
    state: z.enum(['used', 'undone']),
  }),
  /** Files that the conversation knows are not as it left or read them. */
  z.object({ ...base, kind: z.literal('disk'), groups: z.array(DiskChangeGroup) }),
  /** The model takes no pictures: it goes on with words. */
  z.object({ ...base, kind: z.literal('blind') }),
  z.object({
    ...base,
    kind: z.literal('end'),
    reason: TurnEnd,
    error: ErrorData.optional(),
    /** The assistant claimed a change, but drafted none. */
    unchanged: z.boolean().optional(),
  }),
]);
export type ChatItem = z.infer<typeof ChatItem>;

/** The user's answer to a question of the assistant. */
export const QuestionAnswer = z
  .strictObject({
    question: z.string().min(1).max(200),
    /** The user's own words; may be blank beside an option. */
    text: z.string().trim().max(20_000),
    /** Indices of the chosen options. */
    options: z.array(z.int().min(0).max(5)).max(6).default([]),
  })
  .refine(({ text, options }) => text !== '' || options.length > 0, { message: 'an answer is blank' });

/** The user's answer to a consent question. `always` is stored in the settings. */
export const ConsentAnswer = z.enum(['once', 'always', 'no']);
export type ConsentAnswer = z.infer<typeof ConsentAnswer>;

/** Current state of the assistant; buttons and spinners depend on it alone. */
export const ChatPhase = z.enum(['idle', 'model', 'summary', 'tool', 'consent', 'answer', 'review']);
export type ChatPhase = z.infer<typeof ChatPhase>;

/** A wait before the service is asked again: until when (epoch milliseconds), and why (`errors:model.<problem>`). */
export const RetryWait = z.object({ until: z.number(), problem: z.string() });
export type RetryWait = z.infer<typeof RetryWait>;
/** How full the model's window is, in tokens; null while unknown. */
export const ContextUse = z.object({ used: z.int().min(0), window: z.int().min(1) }).nullable();
export type ContextUse = z.infer<typeof ContextUse>;

/** The most messages that wait at once. */
export const MAX_QUEUED = 20;

/** A message that waits for the end of the assistant's turn. */
export const QueuedMessage = z.object({
  id: z.string(),
  text: z.string(),
  mode: ChatMode,
  mentions: z.array(Mention).optional(),
  /** Ids of stored pictures. */
  pictures: z.array(PictureId).optional(),
  /** Delivered in the running turn, before the next request to the model. */
  steers: z.boolean(),
});
export type QueuedMessage = z.infer<typeof QueuedMessage>;

export const ChatState = z.object({
  session: z.string(),
  title: z.string(),
  phase: ChatPhase,
  /** The newest rows. */
  items: z.array(ChatItem),
  /** Number of rows before them; see `chat.earlier`. */
  earlier: z.int().min(0),
  /** True for the practice assistant of the guided tour, which uses no model. */
  practice: z.boolean(),
  /** True for a conversation that this installation did not write, or that was changed since: it is read-only. */
  isForeign: z.boolean(),
  /** True for an empty conversation that was opened because the newest one is open in another window or program. */
  isNewestElsewhere: z.literal(true).optional(),
  /** Absent unless a failed request waits to be repeated. */
  waiting: RetryWait.optional(),
  /** What set rows aside and can be undone: nothing newer than the message that was sent anew followed. */
  undoable: z.string().optional(),
  turnUsage: UsageTotal,
  sessionUsage: UsageTotal,
  context: ContextUse,
  /** What is to do in the current work; empty without a list. */
  todo: z.array(TodoItem),
  /** In the order in which they are sent. */
  queue: z.array(QueuedMessage),
});
export type ChatState = z.infer<typeof ChatState>;

export const SessionSummary = z.object({
  id: z.string(),
  title: z.string(),
  at: z.number(),
  /** True when the session came with the game: it is read-only. */
  isForeign: z.boolean(),
});
export type SessionSummary = z.infer<typeof SessionSummary>;

/** A deleted conversation; `at` is when it was deleted, `bytes` what its text takes on the disk. */
export const TrashedSummary = SessionSummary.extend({ bytes: z.number().min(0) });
export type TrashedSummary = z.infer<typeof TrashedSummary>;

/** A place in the list of conversations, which is sorted by time and then by id. */
export const SessionPlace = z.strictObject({ at: z.number(), session: z.string().min(1).max(200) });
export type SessionPlace = z.infer<typeof SessionPlace>;
