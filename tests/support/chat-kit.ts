import { createActionQueue } from '../../main/core/action-queue.ts';
import { createChat } from '../../main/core/agent/chat.ts';
import type { TurnLimits } from '../../main/core/agent/loop/turn-guards.ts';
import { PlanInput, toProposedSteps } from '../../main/core/patch/plan-input.ts';
import { toPlanSteps } from '../../main/core/patch/to-plan-steps.ts';
import { validatePlan } from '../../main/core/patch/validate-plan.ts';
import type { Clock } from '../../main/core/ports/host.ts';
import type { SessionLogs } from '../../main/core/ports/logs.ts';
import type { Model, ModelEvent, ModelRequest } from '../../main/core/ports/models.ts';
import type { FileInfo, Reader } from '../../main/core/ports/reader.ts';
import type { Pictures } from '../../main/core/ports/stores/pictures.ts';
import type { SavedPlanFiles } from '../../main/core/ports/stores/saved-plan-files.ts';
import type { SkillFiles } from '../../main/core/ports/stores/skill-files.ts';
import type { SpendingEntry, SpendingStore } from '../../main/core/ports/stores/spending-store.ts';
import type { Transactions } from '../../main/core/ports/transactions.ts';
import type { Writer } from '../../main/core/ports/writer.ts';
import { createBriefingReader } from '../../main/core/project/briefing/read-briefing.ts';
import { createScriptService, type ScriptService } from '../../main/core/project/script-service.ts';
import { createBaseTexts } from '../../main/core/project/unsaved/base-texts.ts';
import { createBuffers } from '../../main/core/project/unsaved/buffers.ts';
import { createProposalService } from '../../main/core/proposal/proposal-service.ts';
import type { Chat, ProposalService, ToolOutcome, ToolRunner } from '../../main/core/services.ts';
import { createSkills } from '../../main/core/skills/skills.ts';
import { createSpending, type Spending } from '../../main/core/spending/spending.ts';
import { toTextVersion } from '../../main/core/text/text-version.ts';
import { tools as declared } from '../../main/tools/index.ts';
import type { EventName, Payload } from '../../shared/contract.ts';
import { AppError } from '../../shared/errors.ts';
import type { ChatItem } from '../../shared/model/chat.ts';
import type { Cap, CapScope } from '../../shared/model/cost/cap.ts';

/** The folders of skills, without any. */
export const NO_SKILL_FILES: SkillFiles = {
  ofGame: async () => [],
  ofUser: async () => [],
  allowed: async () => new Set(),
  allow: async () => undefined,
};

/** The log of changes, without any. */
export const NO_TRANSACTIONS: Pick<Transactions, 'recent' | 'readText'> = {
  recent: async () => [],
  readText: async () => null,
};

/** An in-memory disk of texts with its reader and writer ports. */
export interface MemoryDisk {
  files: Map<string, string>;
  reader: Reader;
  writer: Writer;
}

export function createMemoryDisk(files: Record<string, string>): MemoryDisk {
  const disk = new Map(Object.entries(files));
  const toInfo = (path: string, text: string): FileInfo => ({ path, bytes: text.length, isDirectory: false });
  const reader: Reader = {
    async list(path) {
      const inside = [...disk].filter(([name]) => path === '.' || name.startsWith(`${path}/`));
      return inside.map(([name, text]) => toInfo(name, text));
    },
    async stat(path) {
      const text = disk.get(path);
      return text === undefined ? null : toInfo(path, text);
    },
    async read(path) {
      const text = disk.get(path);
      if (text === undefined) throw new AppError('E_NOT_FOUND', `File not found: ${path}`);
      return { path, text, ...(await toTextVersion(text)) };
    },
    async search() {
      throw new AppError('E_UNSUPPORTED', 'A disk in memory is not searched.');
    },
  };
  let snapshots = 0;
  const writer: Writer = {
    async apply(changes) {
      for (const { path, base } of changes) {
        const there = disk.get(path);
        const version = there === undefined ? null : (await toTextVersion(there)).version;
        if (version !== base) throw new AppError('E_CONFLICT', 'changed', { details: { paths: [path] } });
      }
      const written = [];
      for (const { path, text } of changes) {
        if (text === null) disk.delete(path);
        else disk.set(path, text);
        snapshots += 1;
        const made = text === null ? { version: null, bytes: 0 } : await toTextVersion(text);
        written.push({ path, snapshotId: `snap_${snapshots}`, ...made });
      }
      return written;
    },
  };
  return { files: disk, reader, writer };
}

/** In-memory session logs, stored as JSON lines like on disk. */
export interface MemorySessions extends SessionLogs {
  lines: Map<string, string[]>;
  /** Ids of conversations that another program has locked. */
  elsewhere: Set<string>;
  /** Ids of conversations with invalid signatures. */
  foreign: Set<string>;
  /** Deleted conversations. */
  trash: Map<string, string[]>;
  /** The stored index; null before the first. */
  index: unknown;
  /** Ids in the order in which logs were read. */
  reads: string[];
  /** Makes appends fail like a full disk, after `appends` more have succeeded. */
  fill(appends?: number): void;
}

export function createMemorySessions(from: Record<string, string[]> = {}): MemorySessions {
  const lines = new Map(Object.entries(from));
  let space = Number.POSITIVE_INFINITY;
  function add(session: string, entries: readonly unknown[]): void {
    if (space === 0) throw new AppError('E_IO', 'No space left.');
    space -= 1;
    lines.set(session, [...(lines.get(session) ?? []), ...entries.map((entry) => JSON.stringify(entry))]);
  }
  const elsewhere = new Set<string>();
  const foreign = new Set<string>();
  const trash = new Map<string, string[]>();
  const reads: string[] = [];
  const toStored = (session: string, index: number) => ({
    ...{ session, modifiedAt: 1000 - index, state: `${lines.get(session)?.length} ${foreign.has(session)}` },
  });
  const move = (session: string, from: Map<string, string[]>, to: Map<string, string[]>, reason: string): void => {
    const moved = from.get(session);
    if (!moved) throw new AppError('E_NOT_FOUND', 'It is not there.', { reason });
    from.delete(session);
    to.set(session, moved);
  };
  async function readLines(session: string, found: readonly string[] = [], take: (entry: unknown) => void) {
    reads.push(session);
    let damaged = 0;
    for (const line of found) {
      let entry: unknown;
      try {
        entry = JSON.parse(line);
      } catch {
        damaged += 1;
        continue;
      }
      take(entry);
    }
    return { damaged, isForeign: foreign.has(session) };
  }
  const memory: MemorySessions = {
    lines,
    elsewhere,
    foreign,
    trash,
    reads,
    index: null,
    fill: (appends = 0) => {
      space = appends;
    },
    open: (session) => ({
      append: async (entry) => add(session, [entry]),
      appendAll: async (entries) => add(session, entries),
      read: (take) => readLines(session, lines.get(session), take),
    }),
    async claim(session) {
      if (!elsewhere.has(session)) return;
      throw new AppError('E_CONFLICT', 'Another program holds it.', { reason: 'project.heldElsewhere' });
    },
    release: async () => undefined,
    list: async () => [...lines.keys()].reverse().map(toStored),
    find: async (session) =>
      [...lines.keys()]
        .reverse()
        .map(toStored)
        .find((one) => one.session === session) ?? null,
    discard: async (session) => move(session, lines, trash, 'chat.gone'),
    restore: async (session) => move(session, trash, lines, 'chat.trashGone'),
    listTrash: async () =>
      [...trash].map(([session, { length }]) => ({ session, deletedAt: 1000, bytes: length, state: `${length}` })),
    openTrashed: (session) => ({ read: (take) => readLines(session, trash.get(session), take) }),
    async erase(session) {
      if (session === null) trash.clear();
      else if (!trash.delete(session)) throw new AppError('E_NOT_FOUND', 'Gone.', { reason: 'chat.trashGone' });
    },
    search: async () => [],
    readIndex: async () => memory.index,
    async writeIndex(index) {
      memory.index = structuredClone(index);
    },
  };
  return memory;
}

/** Creates the ports of a chat for what requests cost, in memory. */
export function createTestSpending(
  clock: Clock,
  caps: Partial<Record<CapScope, Cap>> = {},
): Pick<Parameters<typeof createChat>[0], 'spending' | 'readCaps'> {
  const lines: { day: string; entry: SpendingEntry }[] = [];
  const store: SpendingStore = {
    append: async (day, entry) => void lines.push({ day, entry }),
    read: async (day) => lines.filter((line) => line.day === day).map(({ entry }) => entry),
  };
  return {
    spending: createSpending({ store, clock, onFault: () => undefined }),
    readCaps: async () => ({ turn: null, day: null, ...caps }),
  };
}

/** In-memory pictures; an id is the number of the picture, written as a hash. */
export function createMemoryPictures(): Pictures {
  const stored = new Map<string, string>();
  return {
    async add(data) {
      const id = String(stored.size + 1).padStart(64, '0');
      stored.set(id, data);
      return { id, type: 'image/png', bytes: data.length };
    },
    async read(id) {
      const data = stored.get(id);
      if (data === undefined) throw new AppError('E_NOT_FOUND', 'The picture is gone.', { reason: 'picture.gone' });
      return { type: 'image/png', data, bytes: data.length };
    },
    async readAsset() {
      throw new AppError('E_NOT_FOUND', 'There are no assets.');
    },
  };
}

/** Creates a clock that changes only through `move`, with readable ids. */
export function createTestClock(prefix = 'id'): Clock & { move(milliseconds: number): void } {
  let now = 1_700_000_000_000;
  let ids = 0;
  return {
    now: () => now,
    id: () => {
      ids += 1;
      return `${prefix}${ids}`;
    },
    move: (milliseconds) => {
      now += milliseconds;
    },
  };
}

/** One step of a scripted model. */
export type ScriptStep = ModelEvent[] | ((request: ModelRequest) => AsyncIterable<ModelEvent> | ModelEvent[]);

export interface ScriptedModel extends Model {
  requests: ModelRequest[];
}

/** Creates a model that replays scripted steps and fails after the last one. */
export function createScriptedModel(steps: readonly ScriptStep[]): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    requests,
    async *stream(request) {
      const step = steps[requests.push(request) - 1];
      if (!step) {
        yield { kind: 'error', problem: 'badAnswer', detail: 'the script is over', retryable: false };
        return;
      }
      yield* typeof step === 'function' ? step(request) : step;
    },
  };
}

let callIds = 0;

/** Returns the events of one step: text, then calls. */
export function step(text: string, ...calls: [name: string, input: unknown][]): ModelEvent[] {
  const made = calls.map(([name, input]) => {
    callIds += 1;
    return { id: `c${callIds}`, name, input };
  });
  const content = [
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...made.map(({ id, name, input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input })),
  ];
  return [
    ...(text === '' ? [] : [{ kind: 'text', text } as const]),
    ...made.map((call) => ({ kind: 'call', call }) as const),
    {
      kind: 'done',
      messages: [{ role: 'assistant', content }],
      finish: calls.length > 0 ? 'tool-calls' : 'stop',
      usage: { input: 10, cached: 4, output: 2 },
    },
  ];
}

export const fail = (problem: string, retryable = false): ModelEvent[] => [
  { kind: 'error', problem, detail: `detail of ${problem}`, retryable },
];

/** Creates the tools for tests of the loop, which use a proposal service directly. */
export function createTestTools(
  proposals: ProposalService,
  extra: Record<string, (input: never, signal: AbortSignal) => Promise<unknown>> = {},
): ToolRunner {
  const tools: Record<string, (input: never, signal: AbortSignal) => Promise<unknown>> = {
    read_file: async ({ path }: { path: string }) => ({ path, content: (await proposals.reader.read(path)).text }),
    write_to_file: async ({ path, content }: { path: string; content: string }) => {
      const there = (await proposals.reader.stat(path)) ? await proposals.reader.read(path) : null;
      return proposals.writer.write({ path, text: content, base: there?.version ?? null });
    },
    display: async () => ({ ack: true }),
    ask_followup_question: async () => ({ ack: true }),
    attempt_completion: async () => ({ ack: true }),
    ...extra,
  };
  return {
    list: (mode) =>
      Object.keys(tools)
        .filter((name) => mode === 'act' || name !== 'write_to_file')
        .sort()
        .map((name) => ({ name, description: name, inputSchema: { type: 'object' } })),
    displayOf: (name) => declared.find((tool) => tool.name === name)?.inChat ?? 'other',
    describe: (name) => ({ summary: { 'zh-CN': name, en: name }, paths: [] }),
    async run({ name, input, mode, signal }): Promise<ToolOutcome> {
      const refuse = (error: ToolOutcome['error']): ToolOutcome => ({
        ok: false,
        milliseconds: 0,
        ...(error && { error }),
      });
      const tool = tools[name];
      if (!tool) return refuse({ code: 'E_UNSUPPORTED', message: `no ${name}`, recoverable: true });
      if (mode === 'plan' && name === 'write_to_file') {
        return refuse({ code: 'E_POLICY_VIOLATION', message: 'plan mode', recoverable: true });
      }
      if (typeof input !== 'object' || input === null) {
        return refuse({ code: 'E_BAD_ARGS', message: 'not an object', recoverable: true });
      }
      try {
        return { ok: true, milliseconds: 0, value: await tool(input as never, signal) };
      } catch (error) {
        const code = error instanceof AppError ? error.code : 'E_INTERNAL';
        return refuse({ code, message: error instanceof Error ? error.message : 'failed', recoverable: true });
      }
    },
  };
}

/** The tool by which a model sends a plan as data, for `createTestTools`. */
export function planTool(proposals: ProposalService): { propose_plan: (input: never) => Promise<unknown> } {
  return {
    propose_plan: async (input: never) => {
      const { steps } = PlanInput.parse(input);
      const validated = await validatePlan(toPlanSteps(toProposedSteps(steps), 'step'), { reader: proposals.reader });
      return { ack: true, steps: validated.map(({ status, validation }) => ({ status, validation })) };
    },
  };
}

export interface Heard {
  event: EventName;
  payload: unknown;
}

export interface ChatKit<S extends SessionLogs = MemorySessions> {
  chat: Chat;
  scripts: ScriptService;
  proposals: ProposalService;
  disk: MemoryDisk;
  sessions: S;
  clock: ReturnType<typeof createTestClock>;
  heard: Heard[];
  /** Names of tools that the user always allows. */
  allowed: string[];
  spending: Spending;
  /** Resolves when no turn is running. */
  settled(): Promise<void>;
  items<K extends ChatItem['kind']>(kind: K): Extract<ChatItem, { kind: K }>[];
  payloads<E extends EventName>(event: E): Payload<E>[];
}

export interface ChatKitOptions<S extends SessionLogs = MemorySessions> {
  model?: Model;
  files?: Record<string, string>;
  disk?: MemoryDisk;
  sessions?: S;
  pictures?: Pictures;
  tools?: (proposals: ProposalService) => ToolRunner;
  limits?: Partial<TurnLimits>;
  ids?: string;
  caps?: Partial<Record<CapScope, Cap>>;
  /** The log of changes; default: none. */
  transactions?: Pick<Transactions, 'recent' | 'readText'>;
  skillFiles?: SkillFiles;
  /** Default: plans that cannot run are not kept. */
  savedPlans?: SavedPlanFiles;
  /** Called with each event, after it was recorded. */
  heard?: (event: EventName, payload: unknown) => void;
  /** Called before what the assistant is told about the game is read. */
  beforeBriefing?: () => void;
}

function toEmit(heard: Heard[], also: ChatKitOptions['heard']): (event: EventName, payload: unknown) => void {
  return (event, payload) => {
    heard.push({ event, payload });
    also?.(event, payload);
  };
}

/** Creates a chat over the real proposal service with in-memory ports. */
export async function createChatKit<S extends SessionLogs = MemorySessions>(
  options: ChatKitOptions<S> = {},
): Promise<ChatKit<S>> {
  const disk = options.disk ?? createMemoryDisk(options.files ?? { 'game/scene/start.txt': 'A:hi;\nend;\n' });
  // The type is another one only where the caller gives its own.
  const sessions = options.sessions ?? (createMemorySessions() as SessionLogs as S);
  const clock = createTestClock(options.ids);
  const heard: Heard[] = [];
  const allowed: string[] = [];
  const emit = toEmit(heard, options.heard);
  const proposals = createProposalService({
    ...{ reader: disk.reader, writer: disk.writer, emit, clock },
    locale: () => 'en',
  });
  const model = options.model ?? createScriptedModel([]);
  const paid = createTestSpending(clock, options.caps);
  const actions = createActionQueue();
  const scripts = createScriptService({
    ...{ workspace: disk, buffers: createBuffers(), bases: createBaseTexts(), proposals, actions, clock, emit },
    locale: () => 'en',
  });
  const skills = createSkills(options.skillFiles ?? NO_SKILL_FILES);
  const readBriefing = createBriefingReader({
    ...{ title: 'Test game', reader: disk.reader, locale: () => 'en' as const, skills },
  });
  const chat = await createChat({
    sessions,
    pictures: options.pictures ?? createMemoryPictures(),
    mentionSource: async () => ({ reader: proposals.reader, engine: {} }),
    proposals,
    plans: {
      validateSteps: (steps) => validatePlan(steps, { reader: proposals.reader }),
      ...(options.savedPlans && { files: options.savedPlans }),
    },
    disk: disk.reader,
    transactions: options.transactions ?? NO_TRANSACTIONS,
    actions,
    tools: options.tools?.(proposals) ?? createTestTools(proposals),
    models: {
      current: async () => model,
      fast: async () => model,
      test: async () => ({ status: 'ok', model: 'm', milliseconds: 1 }),
    },
    clock,
    emit,
    locale: () => 'en',
    practice: () => model,
    allowAlways: async (tool) => void allowed.push(tool),
    notePicturesRefused: async () => {},
    async readBriefing() {
      options.beforeBriefing?.();
      return readBriefing();
    },
    skills,
    ...paid,
    limits: { retryPause: 1, stopGrace: 20, ...options.limits },
  });
  return {
    chat,
    scripts,
    proposals,
    disk,
    sessions,
    clock,
    heard,
    allowed,
    spending: paid.spending,
    async settled() {
      const until = Date.now() + 20_000;
      while (['model', 'summary', 'tool', 'consent'].includes(chat.state()?.phase ?? '')) {
        if (Date.now() > until) throw new Error('the turn did not end');
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
    items: (kind) => (chat.state()?.items ?? []).filter((item) => item.kind === kind) as never,
    payloads: (event) => heard.filter((each) => each.event === event).map(({ payload }) => payload) as never,
  };
}
