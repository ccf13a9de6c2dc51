import { z } from 'zod';
import { ErrorData } from '../../../../shared/errors.ts';
import { ChatMode, ConsentAnswer, OfferedVersions, TodoItem, TurnEnd } from '../../../../shared/model/chat.ts';
import { capQuestion } from '../../../../shared/model/cost/cap.ts';
import { Cost, Usage } from '../../../../shared/model/cost/usage.ts';
import { LocalText } from '../../../../shared/model/local-text.ts';
import { consentQuestion } from '../../../../shared/model/message/consent-question.ts';
import { Mention } from '../../../../shared/model/message/mention.ts';
import { Picture, PictureId } from '../../../../shared/model/message/picture.ts';
import { StepMarks } from '../../../../shared/model/plan/step-mark.ts';
import { ProviderId } from '../../../../shared/model/settings.ts';
import { ProjectPath } from '../../../../shared/paths/project-path.ts';
import { DiskEvent, writtenVersions } from './events/disk-event.ts';
import { LoggedContext } from './events/logged-context.ts';
import { LoggedMessage } from './events/logged-message.ts';
import { DraftPartEvent, decidedPieces } from './events/piece-events.ts';
import { ToolResultEvent } from './events/tool-result-event.ts';
import { PLAN_EVENTS } from './plans/plan-events.ts';

/**
 * The lines of a session log, one JSON object each. The rows of the chat, the messages for the model and what waits for the
 * user are computed from them, so the log is append-only. No event has a field for a key.
 */
const at = z.number();
const inTurn = { at, turn: z.string() };

/** What a request cost when it was made; absent: unknown, as in older logs. */
const cost = Cost.optional().catch(undefined);

/** A mention as the model receives it. `facts` are quoted as JSON, `content` as text; both may hold text of the game. */
const LoggedMention = z.object({
  of: Mention,
  facts: z.record(z.string(), z.unknown()),
  content: z.string(),
  /** The content is in an earlier message of the conversation. */
  isRepeated: z.boolean().optional(),
});
export type LoggedMention = z.infer<typeof LoggedMention>;

const ModelIdentity = z.object({ provider: ProviderId, model: z.string() });

export const LogEvent = z.discriminatedUnion('t', [
  /** First line of every log. `practice`: the scripted assistant answers. Logs of version 1 are not signed. */
  z.object({
    t: z.literal('session'),
    v: z.union([z.literal(1), z.literal(2)]),
    id: z.string(),
    at,
    practice: z.boolean(),
  }),

  /** `plan`: the plan this turn carries out. `window`: the context window of the model, in tokens. */
  z.object({
    t: z.literal('turn.start'),
    ...inTurn,
    mode: ChatMode,
    plan: z.string().optional(),
    window: z.int().optional(),
  }),
  /**
   * Starts or continues a turn: a message of the user (`message`), “Do it” (`run`), the answer to `question`, feedback on a
   * rejected proposal (`feedback`), *Go on* (`continue`), one step of the plan that is carried out (`step`), or from the app the problems that the proposal would add (`problems`)
   * and other news for the model (`notice`).
   */
  z.object({
    t: z.literal('user'),
    ...inTurn,
    id: z.string(),
    kind: z.enum(['message', 'run', 'answer', 'feedback', 'continue', 'step', 'problems', 'notice']),
    mode: ChatMode,
    text: z.string(),
    context: LoggedContext.optional(),
    question: z.string().optional(),
    /** The options that the user chose and the words beside them; `text` holds both. */
    picked: z
      .object({ options: z.array(z.string()), words: z.string() })
      .optional()
      .catch(undefined),
    /** The user sent it while the turn ran; it was delivered between two steps. */
    steer: z.boolean().optional(),
    /** What the message refers to, with its content at that time; a kind that this version does not know drops them. */
    mentions: z.array(LoggedMention).optional().catch(undefined),
    /** Pictures, whose bytes are stored beside the log. */
    pictures: z.array(Picture).optional().catch(undefined),
    /** The versions of the texts that the mentions showed. */
    seen: z.record(z.string(), z.string()).optional(),
  }),
  /**
   * A message that waits for the end of the assistant's turn, or its changed text; the `user` event with the same id delivers it.
   * `steer`: the turn between whose steps it is to be delivered.
   */
  z.object({
    t: z.literal('queue.put'),
    at,
    id: z.string(),
    mode: ChatMode,
    text: z.string(),
    context: LoggedContext.optional(),
    /** What it refers to and shows; read when it is delivered. */
    mentions: z.array(Mention).optional().catch(undefined),
    pictures: z.array(PictureId).optional().catch(undefined),
    steer: z.string().optional(),
  }),
  /** The user removed a waiting message. */
  z.object({ t: z.literal('queue.drop'), at, id: z.string() }),
  /** One step of the model. */
  z.object({
    t: z.literal('assistant'),
    ...inTurn,
    step: z.string(),
    messages: z.array(LoggedMessage),
    finish: z.string(),
    usage: Usage,
    cost,
    /** Provider and model of the step. Absent in older logs and for the scripted assistant. */
    by: ModelIdentity.optional().catch(undefined),
  }),
  /** Text of a step since the piece before, for a stop or a crash in the middle; ignored once `assistant` follows. */
  z.object({ t: z.literal('assistant.piece'), ...inTurn, step: z.string(), text: z.string(), thinking: z.string() }),
  /** What a step or a summary used whose answer did not arrive whole. */
  z.object({ t: z.literal('request.cut'), ...inTurn, usage: Usage, cost }),
  /** Logged before a call runs. */
  z.object({
    t: z.literal('tool.call'),
    ...inTurn,
    step: z.string(),
    call: z.string(),
    name: z.string(),
    summary: LocalText,
    paths: z.array(z.string()),
  }),
  ToolResultEvent,
  /** What a running call does now, as a sentence for the user. */
  z.object({ t: z.literal('tool.progress'), ...inTurn, step: z.string(), call: z.string(), text: LocalText }),

  /** A call waits for the user's consent. */
  z.object({
    t: z.literal('consent.ask'),
    ...inTurn,
    id: z.string(),
    step: z.string(),
    call: z.string(),
    ...consentQuestion,
  }),
  z.object({ t: z.literal('consent.answer'), ...inTurn, id: z.string(), answer: ConsentAnswer }),

  /** Text of the assistant from tools that only produce text; shown as a row. */
  z.object({
    t: z.literal('note'),
    ...inTurn,
    id: z.string(),
    level: z.enum(['info', 'success', 'warning', 'error', 'progress']),
    title: z.string().optional(),
    text: z.string(),
  }),
  /** `multiple`: more than one option may be chosen. */
  z.object({
    t: z.literal('question'),
    ...inTurn,
    id: z.string(),
    text: z.string(),
    options: z.array(z.string()).optional(),
    multiple: z.boolean().optional(),
    /** The options are the titles of these versions. `version`: of the file that the lines were read from. */
    versions: OfferedVersions.extend({ version: z.string() }).optional().catch(undefined),
  }),
  ...PLAN_EVENTS,
  /** The whole list of what is to do; it replaces the one before, or gives the running plan its states. */
  z.object({ t: z.literal('todo'), ...inTurn, items: z.array(TodoItem) }),
  z.object({ t: z.literal('completion'), ...inTurn, id: z.string(), text: z.string() }),

  /** The whole text of a draft; the last one of a path counts. */
  z.object({
    t: z.literal('draft'),
    ...inTurn,
    // A downloaded game may contain a forged log, so drafts are limited to the paths that tools may write.
    path: ProjectPath,
    base: z.string().nullable(),
    before: z.string().nullable(),
    /** Null: the file is deleted. */
    text: z.string().nullable(),
    /** The step of a plan that drafted it. */
    step: z.string().optional(),
    /** The lines that steps of plans wrote. */
    marks: StepMarks.optional(),
  }),
  /** The drafts wait for a decision. */
  z.object({
    t: z.literal('proposal.open'),
    ...inTurn,
    proposal: z.string(),
    summary: z.string(),
    files: z.array(z.object({ path: z.string(), added: z.int(), removed: z.int() })),
  }),
  /** The drafts equal the texts on disk. */
  z.object({ t: z.literal('proposal.empty'), ...inTurn }),
  /** The user accepted; the next event holds the outcome. If the log ends here, the app was killed in between. */
  z.object({
    t: z.literal('decision.begin'),
    at,
    proposal: z.string(),
    group: z.string(),
    paths: z.array(z.string()),
    pieces: decidedPieces,
  }),
  DraftPartEvent,
  /** `kept`: accepting failed, the proposal still waits. `replaced`: the user sent a message instead of deciding. */
  z.object({
    t: z.literal('decision'),
    at,
    proposal: z.string(),
    outcome: z.enum(['accepted', 'rejected', 'replaced', 'kept']),
    group: z.string().optional(),
    /** Files that were written; the other files of the proposal still wait. */
    paths: z.array(z.string()).optional(),
    /** Those of `paths` of which a part still waits as the newest draft. */
    waiting: z.array(z.string()).optional(),
    pieces: decidedPieces,
    versions: writtenVersions,
    /** The rejected proposal was what an acceptance had left. */
    isRest: z.boolean().optional(),
    feedback: z.string().optional(),
  }),

  /**
   * A summary in place of the events before the user message or step `before`; null: before this event. The rows of the chat stay.
   * `refusal`: the window in tokens that a model's refusal of a longer request showed.
   */
  z.object({
    t: z.literal('compaction'),
    ...inTurn,
    id: z.string(),
    before: z.string().nullable(),
    summary: z.string(),
    /** Estimate of the tokens that the conversation has left. */
    tokens: z.int().min(0),
    refusal: z.object({ window: z.int(), by: ModelIdentity.optional() }).optional().catch(undefined),
    usage: Usage,
    cost,
  }),
  /** The full text counts again. */
  z.object({ t: z.literal('compaction.undone'), at, id: z.string() }),
  /** The next request would pass a cap: the turn waits for the user. */
  z.object({ t: z.literal('cap.ask'), ...inTurn, id: z.string(), ...capQuestion }),
  z.object({ t: z.literal('cap.answer'), ...inTurn, id: z.string(), answer: z.enum(['on', 'stop']) }),
  /** The title of the conversation, by the second model or the user; absent when the model's answer was no title. */
  z.object({
    t: z.literal('title'),
    at,
    text: z.string().max(200).optional(),
    by: z.enum(['model', 'user']),
    usage: Usage.optional(),
    cost,
  }),

  /**
   * The user sends the message `before` anew: it and everything after it are set aside. They count for nothing: not for the model, and not
   * as open questions, plans or drafts. `accepted`: the files that were accepted there; they stay as they are.
   */
  z.object({ t: z.literal('rewind'), at, id: z.string(), before: z.string(), accepted: z.array(z.string()) }),
  /** What the rewind `id` set aside counts again, and what came after it is set aside. */
  z.object({ t: z.literal('rewind.undone'), at, id: z.string(), accepted: z.array(z.string()) }),

  DiskEvent,

  /** The service refused the pictures of a request, which was sent again without them. */
  z.object({ t: z.literal('pictures.refused'), ...inTurn, id: z.string() }),

  /** `unchanged`: the assistant claimed a change, but drafted none. */
  z.object({
    t: z.literal('turn.end'),
    ...inTurn,
    reason: TurnEnd,
    error: ErrorData.optional(),
    unchanged: z.boolean().optional(),
  }),
]);
export type LogEvent = z.infer<typeof LogEvent>;

/** One kind of event. */
export type LogEventOf<T extends LogEvent['t']> = Extract<LogEvent, { t: T }>;
