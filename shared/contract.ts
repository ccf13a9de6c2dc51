import { z } from 'zod';
import { ErrorData } from './errors.ts';
import { AuditFilter, AuditPage } from './model/audit.ts';
import { RulesFacts, ToolChoice, ToolFacts, ToolName } from './model/capability.ts';
import { ChatItem, ChatMode, ChatPhase, ChatState, ConsentAnswer, SessionSummary, Usage } from './model/chat.ts';
import { AppCommand } from './model/command.ts';
import { MergePart } from './model/merge.ts';
import {
  FolderListing,
  OpenResult,
  Project,
  ProjectFile,
  RecentProject,
  ScriptText,
  UnsavedText,
} from './model/project.ts';
import { ProjectPath } from './model/project-path.ts';
import { AcceptResult, Proposal, ProposedFile } from './model/proposal.ts';
import { ConnectionResult, KeyState, ProviderChoice, ProviderFacts, ProviderId, Settings } from './model/settings.ts';
import { ChangedFile, HistoryGroup } from './model/snapshot.ts';
import { StagePlace, StageState } from './model/stage.ts';
import { Locale } from './model/text.ts';
import { UpdateState } from './model/updates.ts';

/**
 * Everything a page can ask and hear: the single source. Handlers, the page's `api` and the tests' fakes are inferred
 * from it; input and output are both parsed in `core/app.ts`. No absolute path and no key ever crosses towards the page.
 */
const method = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output });

const nothing = z.strictObject({});
const id = z.string().min(1).max(200);
const text = z.string().max(20_000_000);

export const methods = {
  'app.info': method(
    nothing,
    z.object({
      version: z.string(),
      host: z.enum(['electron', 'web']),
      platform: z.string(),
      systemLocale: Locale,
      /** True when `project.pick` opens the system's own folder dialog. */
      hasFolderDialog: z.boolean(),
      /** True when the app was started without the last game and with a window as on the first day. */
      isSafeMode: z.boolean(),
    }),
  ),
  /** For a report of a failure: versions by name, and the last lines of the app's log, which hold no text of a game. */
  'app.details': method(nothing, z.object({ versions: z.record(z.string(), z.string()), log: z.array(z.string()) })),
  /** Ends the app and starts it again, out of safe mode. `E_UNSUPPORTED` where the host cannot. */
  'app.restart': method(nothing, nothing),
  'app.openLink': method(z.strictObject({ url: z.url({ protocol: /^https$/ }) }), nothing),

  'project.current': method(nothing, z.object({ project: Project.nullable() })),
  'project.recents': method(nothing, z.object({ recents: z.array(RecentProject) })),
  'project.forgetRecent': method(z.strictObject({ id }), nothing),
  /** Opens a folder the app has named: a recent project's id or a folder chooser's. */
  'project.open': method(z.strictObject({ id }), OpenResult),
  /** The system's folder dialog; `cancelled` when she changes her mind. */
  'project.pick': method(
    nothing,
    z.discriminatedUnion('status', [...OpenResult.options, z.object({ status: z.literal('cancelled') })]),
  ),
  /** The folder chooser of a host without a dialog. Without an id: where she would start looking. */
  'project.browse': method(z.strictObject({ id: id.optional() }), FolderListing),
  /** Copies the sample game to a folder of hers (once; again when it is gone) and opens it. */
  'project.openSample': method(nothing, OpenResult),
  'project.close': method(nothing, nothing),
  /**
   * The game's files. With `paths` only those of them that are there now, or all when one of them is a folder (`isWhole`).
   * `unportable`: paths that scripts may name and the app cannot, for their names hold what other systems refuse.
   */
  'project.files': method(
    z.strictObject({ paths: z.array(z.string().max(2000)).max(1000).optional() }),
    z.object({ files: z.array(ProjectFile), unportable: z.array(z.string()), isWhole: z.boolean() }),
  ),
  /** Every scene's text, for the language service in the page. */
  'project.scenes': method(
    nothing,
    z.object({ scenes: z.array(ScriptText), unreadable: z.array(z.object({ path: z.string(), error: ErrorData })) }),
  ),

  'script.read': method(z.strictObject({ path: ProjectPath }), ScriptText),
  /** Writes her text. `version` is what it was based on (null: a new file); `E_CONFLICT` when the disk has another. */
  'script.save': method(
    z.strictObject({ path: ProjectPath, text, version: z.string().nullable() }),
    z.object({ version: z.string() }),
  ),
  /**
   * Merges unsaved text, made from the disk's `version` (null: unknown), with what the disk holds now (`theirs`). Writes
   * nothing; `E_NOT_FOUND` when the file went. A version that the app does not remember merges as an unknown one does.
   */
  'script.merge': method(
    z.strictObject({ path: ProjectPath, text, version: z.string().nullable() }),
    z.object({ theirs: ScriptText, parts: z.array(MergePart) }),
  ),
  /**
   * Puts a change of her own to several files up for review, as the assistant's are: a rename throughout the game.
   * `text` null removes the file; `from` names the file a new one was, whose line endings it takes over. `title` is what
   * the history calls it. `E_CONFLICT` when a file is not at `version`, or when another proposal is under way or waits.
   */
  'script.propose': method(
    z.strictObject({
      title: z.string().trim().min(1).max(200),
      changes: z
        .array(
          z.strictObject({
            path: ProjectPath,
            text: text.nullable(),
            version: z.string().nullable(),
            from: ProjectPath.optional(),
          }),
        )
        .min(1)
        .max(10_000),
    }),
    nothing,
  ),
  /** The text she is typing and has not saved, for the stage and the assistant; null: no longer. */
  'script.buffer': method(
    z.strictObject({
      path: ProjectPath,
      text: text.nullable(),
      /** The disk's version that the text was made from; null: unknown, or there was no file. */
      version: z.string().nullable().default(null),
    }),
    nothing,
  ),
  /** The buffers of the open game. After a crash or a reload of the page they hold what it had not saved. */
  'script.unsaved': method(nothing, z.object({ files: z.array(UnsavedText) })),

  'stage.state': method(nothing, StageState),
  'stage.show': method(StagePlace.strict(), nothing),
  'stage.reload': method(nothing, nothing),
  /** What the page heard from the engine's frame: console lines and uncaught errors. */
  'stage.report': method(
    z.strictObject({ kind: z.enum(['console', 'exception']), text: z.string().max(4000) }),
    nothing,
  ),

  'chat.state': method(nothing, z.object({ chat: ChatState.nullable() })),
  /** The rows of the open session before the place `before` (counted from 0), and how many there are before those. */
  'chat.earlier': method(
    z.strictObject({ session: id, before: z.int().min(0) }),
    z.object({ items: z.array(ChatItem), earlier: z.int().min(0) }),
  ),
  'chat.sessions': method(nothing, z.object({ sessions: z.array(SessionSummary) })),
  'chat.open': method(z.strictObject({ session: id }), nothing),
  'chat.create': method(nothing, nothing),
  /** Starts a turn and returns at once; news comes as events. `context` says where her cursor is. */
  'chat.send': method(
    z.strictObject({
      text: z.string().trim().min(1).max(100_000),
      mode: ChatMode,
      context: z.object({ path: ProjectPath, line: z.int().min(1), selection: z.string().max(20_000) }).optional(),
    }),
    z.object({ turn: z.string() }),
  ),
  /** “Do it”: carries out the plan that stands in the chat. */
  'chat.runPlan': method(z.strictObject({ plan: id }), z.object({ turn: z.string() })),
  'chat.answer': method(
    z.strictObject({ question: id, text: z.string().trim().min(1).max(20_000) }),
    z.object({ turn: z.string() }),
  ),
  /** Her word on the step that the assistant waits with. */
  'chat.consent': method(z.strictObject({ id, answer: ConsentAnswer }), nothing),
  'chat.stop': method(nothing, nothing),
  /** Opens the sample with the practice assistant: no key, no model. */
  'chat.startTour': method(nothing, nothing),

  'proposal.current': method(nothing, z.object({ proposal: Proposal.nullable() })),
  /** Applies the named files of the proposal (all, when left out) as one transaction. `overwrite` names files to write although they changed meanwhile; hers is snapshotted first. */
  'proposal.accept': method(
    z.strictObject({ id, paths: z.array(ProjectPath).optional(), overwrite: z.array(ProjectPath).optional() }),
    AcceptResult,
  ),
  /** Throws the proposal away. With a word to the assistant a new turn starts from it. */
  'proposal.reject': method(z.strictObject({ id, feedback: z.string().max(20_000) }), nothing),

  /** What the user can go back to, newest first; `total` counts all groups. */
  'history.list': method(
    z.strictObject({ skip: z.int().min(0).default(0), limit: z.int().min(1).max(1000).default(1000) }),
    z.object({ groups: z.array(HistoryGroup), total: z.int().min(0) }),
  ),
  /** The kept text beside the one on disk; null: no such file. */
  'history.diff': method(
    z.strictObject({ snapshotId: id }),
    z.object({ path: z.string(), kept: z.string().nullable(), now: z.string().nullable() }),
  ),
  /** Puts kept texts back. What stood there is snapshotted first, so a restore can be undone by restoring `group`. */
  'history.restore': method(
    z.strictObject({ snapshotIds: z.array(id).min(1).max(1000) }),
    z.object({ group: z.string(), files: z.array(ChangedFile) }),
  ),
  /**
   * Takes back a change as a whole: every file must still be as the change left it. `E_CONFLICT`, reason
   * `history.changedSince`, names in `details.paths` the files that are not; nothing is written then. What comes back is
   * the change that undoing made, so that undoing it in turn is redoing.
   */
  'history.undo': method(
    z.strictObject({
      files: z
        .array(ChangedFile.strict().extend({ path: ProjectPath, snapshotId: id }))
        .min(1)
        .max(10_000),
    }),
    z.object({ group: z.string(), files: z.array(ChangedFile) }),
  ),

  /** What the assistant did to the open game, newest first; `skip` lines of those up to `asOf` were shown before. */
  'audit.list': method(
    z.strictObject({
      filter: AuditFilter,
      skip: z.int().min(0).max(1_000_000),
      limit: z.int().min(1).max(500),
      asOf: z.iso.datetime().optional(),
    }),
    AuditPage,
  ),
  /** The same as a file, newest last: JSON lines as they are kept, or a table for a spreadsheet. */
  'audit.export': method(
    z.strictObject({ filter: AuditFilter, format: z.enum(['jsonl', 'csv']) }),
    z.object({ text: z.string(), count: z.int().min(0) }),
  ),

  /** Every tool of the assistant's, with what she chose for it and what the open game's rules make of it. */
  'tools.list': method(nothing, z.object({ tools: z.array(ToolFacts), rules: RulesFacts.nullable() })),

  'settings.read': method(nothing, z.object({ settings: Settings, providers: z.array(ProviderFacts), keys: KeyState })),
  'settings.update': method(Settings.omit({ choices: true, tools: true }).partial().strict(), nothing),
  'settings.choose': method(z.strictObject({ provider: ProviderId, choice: ProviderChoice }), nothing),
  /** What the assistant may do with a tool; null for what is recommended. */
  'settings.chooseTool': method(z.strictObject({ tool: ToolName, choice: ToolChoice.nullable() }), nothing),
  /** Back to what is recommended, for every tool. */
  'settings.resetTools': method(nothing, nothing),
  /** The one way a key enters; nothing ever gives it back. */
  'settings.setKey': method(
    z.strictObject({ provider: ProviderId, key: z.string().trim().min(1).max(1000) }),
    KeyState,
  ),
  'settings.forgetKeys': method(nothing, KeyState),
  'settings.testConnection': method(z.strictObject({ provider: ProviderId }), ConnectionResult),

  'updates.state': method(nothing, UpdateState),
  /** Asks the feed for a newer version; the answer comes as `updates.changed`. `E_UNSUPPORTED` where there are no updates. */
  'updates.check': method(nothing, nothing),
  /** Downloads the version that was found, where that does not happen by itself. */
  'updates.download': method(nothing, nothing),
} as const;

export const events = {
  'project.changed': z.object({ project: Project.nullable() }),
  /** The host was handed a folder (a second start, a folder dropped on the window): the page opens it if the open game may be left. */
  'project.offered': z.object({ id }),
  /** The list of games opened before is another one. */
  'project.recentsChanged': z.object({}),
  /** Files that appeared, changed or vanished on disk, whoever did it. */
  'project.filesChanged': z.object({ paths: z.array(z.string()) }),
  /** Open files with text that is on no disk. Empty once all is saved. */
  'script.unsavedChanged': z.object({ paths: z.array(z.string()) }),
  'stage.changed': StageState,
  /** Another session, or none, is open now. */
  'chat.changed': z.object({ chat: ChatState.nullable() }),
  /** Rows that are new or different, each with its place among all rows of the session; `seq` grows by one, so that a page can tell it missed one. */
  'chat.updated': z.object({
    session: z.string(),
    seq: z.int(),
    phase: ChatPhase,
    title: z.string(),
    items: z.array(ChatItem),
    places: z.array(z.int().min(0)),
    turnUsage: Usage,
    sessionUsage: Usage,
  }),
  /** Text to append to the streaming row `item`; at most one event per 40 ms. */
  'chat.streamed': z.object({ session: z.string(), item: z.string(), text: z.string() }),
  /** Another proposal, or none, is on the desk now. */
  'proposal.changed': z.object({ proposal: Proposal.nullable() }),
  /**
   * The proposal on the desk is another one than before: all but its files, the files that are new or different, and those
   * that went. `seq` begins at 1 with each proposal and grows by one, so that a page can tell it missed one.
   */
  'proposal.updated': z.object({
    seq: z.int(),
    head: Proposal.omit({ files: true }),
    files: z.array(ProposedFile),
    gone: z.array(z.string()),
  }),
  'history.changed': z.object({}),
  /** A line was added to the record of what the assistant did. */
  'audit.changed': z.object({}),
  /** The open game's rules for the assistant are other ones now. */
  'tools.changed': z.object({}),
  'settings.changed': z.object({ settings: Settings, keys: KeyState }),
  'updates.changed': UpdateState,
  /** The user chose a menu item of the host; the page carries it out. */
  'app.commanded': AppCommand,
  /** Something she should know that no call of hers caused; `reason` names the sentence (`errors:<reason>`). */
  'app.noticed': z.object({
    level: z.enum(['info', 'warning', 'error']),
    reason: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
} as const;

export type Method = keyof typeof methods;
export type EventName = keyof typeof events;
/** What a caller passes. */
export type Input<M extends Method> = z.input<(typeof methods)[M]['input']>;
/** What a handler receives: parsed, defaults filled, paths normalised. */
export type Parsed<M extends Method> = z.output<(typeof methods)[M]['input']>;
export type Output<M extends Method> = z.output<(typeof methods)[M]['output']>;
export type Payload<E extends EventName> = z.output<(typeof events)[E]>;
/** How a part of the app tells every page some news. */
export type Emit = <E extends EventName>(event: E, payload: Payload<E>) => void;

export interface AppApi {
  /** Rejects with `AppError`. */
  call<M extends Method>(method: M, input: Input<M>): Promise<Output<M>>;
  on<E extends EventName>(event: E, listener: (payload: Payload<E>) => void): () => void;
}
