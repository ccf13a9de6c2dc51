import { z } from 'zod';
import { ErrorData } from '../../../shared/errors.ts';
import { ChatMode, ConsentAnswer, consentQuestion, TurnEnd, Usage } from '../../../shared/model/chat.ts';
import { ProjectPath } from '../../../shared/model/project-path.ts';
import { LocalText } from '../../../shared/model/text.ts';

/**
 * The lines of a session log, one JSON object each. Everything else (the rows of the chat, the messages the model is
 * sent, what waits for the writer) is computed from them, so nothing is ever rewritten. No event has a place for a key.
 */
const at = z.number();
const inTurn = { at, turn: z.string() };

/** Shaped as `ai` shapes messages and kept verbatim, for some providers refuse a history that lost any of it. */
const LoggedMessage = z.object({
  role: z.enum(['user', 'assistant', 'tool']),
  content: z.unknown(),
  providerOptions: z.unknown().optional(),
});

const EditorContext = z.object({ path: z.string(), line: z.int(), selection: z.string() });

export const LogEvent = z.discriminatedUnion('t', [
  /** First line of every log. `practice`: the scripted assistant answers. Version 1 was not sealed. */
  z.object({
    t: z.literal('session'),
    v: z.union([z.literal(1), z.literal(2)]),
    id: z.string(),
    at,
    practice: z.boolean(),
  }),

  /** `plan`: the plan this turn carries out. */
  z.object({ t: z.literal('turn.start'), ...inTurn, mode: ChatMode, plan: z.string().optional() }),
  /**
   * What starts a turn or goes on with it: her words (`message`), “Do it” (`run`), her answer to `question`, her word
   * on a rejected proposal (`feedback`), or the problems that the proposal would bring in (`problems`).
   */
  z.object({
    t: z.literal('user'),
    ...inTurn,
    id: z.string(),
    kind: z.enum(['message', 'run', 'answer', 'feedback', 'problems']),
    mode: ChatMode,
    text: z.string(),
    context: EditorContext.optional(),
    question: z.string().optional(),
  }),
  /** One step of the model. */
  z.object({
    t: z.literal('assistant'),
    ...inTurn,
    step: z.string(),
    messages: z.array(LoggedMessage),
    finish: z.string(),
    usage: Usage,
  }),
  /** What a step said since its piece before, for a stop or a crash in the middle; void once `assistant` follows. */
  z.object({ t: z.literal('assistant.piece'), ...inTurn, step: z.string(), text: z.string(), thinking: z.string() }),
  /** A call is about to run. */
  z.object({
    t: z.literal('tool.call'),
    ...inTurn,
    step: z.string(),
    call: z.string(),
    name: z.string(),
    summary: LocalText,
    paths: z.array(z.string()),
  }),
  z.object({
    t: z.literal('tool.result'),
    ...inTurn,
    step: z.string(),
    call: z.string(),
    name: z.string(),
    ok: z.boolean(),
    value: z.unknown().optional(),
    error: ErrorData.optional(),
  }),

  /** A call waits for the writer's word. */
  z.object({
    t: z.literal('consent.ask'),
    ...inTurn,
    id: z.string(),
    step: z.string(),
    call: z.string(),
    ...consentQuestion,
  }),
  z.object({ t: z.literal('consent.answer'), ...inTurn, id: z.string(), answer: ConsentAnswer }),

  /** Words of the assistant with a row of their own, taken from tools that only speak. */
  z.object({
    t: z.literal('note'),
    ...inTurn,
    id: z.string(),
    level: z.enum(['info', 'success', 'warning', 'error', 'progress']),
    title: z.string().optional(),
    text: z.string(),
  }),
  z.object({ t: z.literal('question'), ...inTurn, id: z.string(), text: z.string() }),
  /** `step`: the plan was found in what that step said aloud. */
  z.object({
    t: z.literal('plan'),
    ...inTurn,
    id: z.string(),
    text: z.string(),
    steps: z.array(z.string()),
    step: z.string().optional(),
  }),
  z.object({ t: z.literal('completion'), ...inTurn, id: z.string(), text: z.string() }),

  /** A text of the proposal, whole: the last one of a path counts. */
  z.object({
    t: z.literal('draft'),
    ...inTurn,
    // A game from elsewhere may bring a log of its own making: its drafts can name nothing that a tool could not.
    path: ProjectPath,
    base: z.string().nullable(),
    before: z.string().nullable(),
    /** Null: the file goes. */
    text: z.string().nullable(),
  }),
  /** The drafts wait for the writer. */
  z.object({
    t: z.literal('proposal.open'),
    ...inTurn,
    proposal: z.string(),
    summary: z.string(),
    files: z.array(z.object({ path: z.string(), added: z.int(), removed: z.int() })),
  }),
  /** The drafts came to nothing: every text is as it is on disk. */
  z.object({ t: z.literal('proposal.empty'), ...inTurn }),
  /** She pressed Accept; the next event says what came of it. A log that ends here was killed in between. */
  z.object({
    t: z.literal('decision.begin'),
    at,
    proposal: z.string(),
    group: z.string(),
    paths: z.array(z.string()),
  }),
  /** `kept`: accepting did not work out, the proposal still waits. `replaced`: she went on instead of deciding. */
  z.object({
    t: z.literal('decision'),
    at,
    proposal: z.string(),
    outcome: z.enum(['accepted', 'rejected', 'replaced', 'kept']),
    group: z.string().optional(),
    /** Files that are on disk now; other files of the proposal still wait. */
    paths: z.array(z.string()).optional(),
    feedback: z.string().optional(),
  }),

  z.object({ t: z.literal('turn.end'), ...inTurn, reason: TurnEnd, error: ErrorData.optional() }),
]);
export type LogEvent = z.infer<typeof LogEvent>;

/** One kind of event. */
export type LogEventOf<T extends LogEvent['t']> = Extract<LogEvent, { t: T }>;
