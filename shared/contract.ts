import { z } from 'zod';
import { ErrorData } from './errors.ts';
import { method } from './method.ts';
import { assetEvents, assetMethods } from './model/asset/asset-methods.ts';
import { capabilityEvents, capabilityMethods } from './model/capability/capability-methods.ts';
import { ChatItem, ChatMode, ChatPhase, ChatState, ConsentAnswer, ContextUse, QuestionAnswer } from './model/chat.ts';
import {
  ChangedEntry,
  Checkpoint,
  CheckpointId,
  CheckpointProgress,
  CheckpointUsage,
  KeptFile,
  LeftOutFile,
  RestoreResult,
} from './model/checkpoint.ts';
import { AppCommand } from './model/command.ts';
import { conversationMethods } from './model/conversation/conversation-methods.ts';
import { UsageTotal } from './model/cost/usage.ts';
import { SettingsPatch } from './model/external/settings-patch.ts';
import { toolMethods } from './model/external/tool-methods.ts';
import { GitState } from './model/git/git.ts';
import { gitMethods } from './model/git/git-methods.ts';
import { Locale } from './model/local-text.ts';
import { MergePart } from './model/merge.ts';
import { attachments, PictureData } from './model/message/attachments.ts';
import { EditorContext } from './model/message/editor-context.ts';
import { MessageText } from './model/message/message-text.ts';
import { Picture, PictureId, PictureType } from './model/message/picture.ts';
import { PlanEdit } from './model/plan/patch.ts';
import { SavedPlan } from './model/plan/saved-plan.ts';
import { playtestEvents, playtestMethods } from './model/playtest/playtest-methods.ts';
import {
  Browsed,
  FolderListing,
  OpenResult,
  PickResult,
  Project,
  ProjectFile,
  RecentProject,
  ScriptText,
  UnsavedText,
} from './model/project.ts';
import { AcceptRequest, AcceptResult, Proposal, ProposalPart, ProposedFile } from './model/proposal.ts';
import { ConnectionResult, KeyState, ProviderChoice, ProviderFacts, ProviderId, Settings } from './model/settings.ts';
import { ChangedFile, HistoryGroup } from './model/snapshot.ts';
import { stageOrders } from './model/stage/stage-orders.ts';
import { terreEvents, terreMethods } from './model/stage/terre.ts';
import { EngineChoice, StageRequest, StageState, stageEvents } from './model/stage.ts';
import { transactionMethods } from './model/transactions/transaction-methods.ts';
import { UpdateState } from './model/updates.ts';
import { ViewerRequest, ViewerResult } from './model/viewer.ts';
import { ProjectPath } from './paths/project-path.ts';
import { OffsetEdit } from './text/text-edit.ts';

/**
 * The methods and events between the app and a page: their only definition. Handlers, the page's `api` and the tests'
 * fakes are inferred from it; `core/app.ts` parses both input and output. No absolute path and no key is sent to the
 * page.
 */
const nothing = z.strictObject({});
const id = z.string().min(1).max(200);
const pixels = z.number().min(0).max(20_000);
const text = z.string().max(20_000_000);

/** What the user has in view when a turn is started. */
const view = { context: EditorContext.optional() };

const userMessage = {
  text: MessageText,
  mode: ChatMode,
  ...view,
  ...attachments,
};

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
      /** True when the app was started without reopening the last game and with the default window layout. */
      isSafeMode: z.boolean(),
    }),
  ),
  /**
   * For a failure report: component versions by name, and the last lines of the app's log, which contain no text of a
   * game.
   */
  'app.details': method(nothing, z.object({ versions: z.record(z.string(), z.string()), log: z.array(z.string()) })),
  /** Ends the app and starts it again outside safe mode. `E_UNSUPPORTED` where the host cannot restart. */
  'app.restart': method(nothing, nothing),
  'app.openLink': method(z.strictObject({ url: z.url({ protocol: /^https$/ }) }), nothing),

  'project.current': method(nothing, z.object({ project: Project.nullable() })),
  'project.recents': method(nothing, z.object({ recents: z.array(RecentProject) })),
  'project.forgetRecent': method(z.strictObject({ id }), nothing),
  /** Opens a folder by an id that the app issued: of a recent project or of a folder chooser entry. */
  'project.open': method(z.strictObject({ id }), OpenResult),
  /** Opens the system's folder dialog; `cancelled` when the user closes it. */
  'project.pick': method(nothing, PickResult),
  /** The folder chooser of a host without a dialog. */
  'project.browse': method(Browsed, FolderListing),
  /**
   * Creates a game in an empty folder and opens it. The error of opening that folder holds the id, as `emptyFolder`.
   * `E_CONFLICT` (`project.notEmpty`) when the folder is no longer empty.
   */
  'project.create': method(z.strictObject({ id }), OpenResult),
  /** Copies the sample game to a folder of the user's (only if it is not there) and opens it. */
  'project.openSample': method(nothing, OpenResult),
  'project.close': method(nothing, nothing),
  /**
   * The game's files. With `paths`: only those of them that exist now, or all when one of them is a folder (`isWhole`).
   * `unportable`: paths that scripts may name and the app cannot, because other systems refuse their names.
   */
  'project.files': method(
    z.strictObject({ paths: z.array(z.string().max(2000)).max(1000).optional() }),
    z.object({ files: z.array(ProjectFile), unportable: z.array(z.string()), isWhole: z.boolean() }),
  ),
  /** The texts of some scenes, for the language service in the page. Reports a path that cannot be read, and reads the others. */
  'project.scenes': method(
    z.strictObject({ paths: z.array(z.string().max(5000)).max(1000) }),
    z.object({ scenes: z.array(ScriptText), unreadable: z.array(z.object({ path: z.string(), error: ErrorData })) }),
  ),

  'script.read': method(z.strictObject({ path: ProjectPath }), ScriptText),
  /**
   * Writes the user's text. `version` is the version it was based on (null: a new file); `E_CONFLICT` when the file on
   * disk has another.
   */
  'script.save': method(
    z.strictObject({ path: ProjectPath, text, version: z.string().nullable() }),
    z.object({ version: z.string() }),
  ),
  /**
   * Like `script.save`, for the app's copy of the unsaved text, so that saving does not send a long scene again. `version` null:
   * the copy is not at `revision`; nothing was written, and the page sends its text.
   */
  'script.saveBuffer': method(
    z.strictObject({ path: ProjectPath, revision: z.string().max(200), version: z.string().nullable() }),
    z.object({ version: z.string().nullable() }),
  ),
  /**
   * Merges unsaved text, made from the version `version` on disk (null: unknown), with the current text on disk
   * (`theirs`). Writes nothing; `E_NOT_FOUND` when the file was removed. A version that neither the app has cached (it has
   * none after a restart) nor the page supplies in `base` is merged
   * like an unknown one.
   */
  'script.merge': method(
    z.strictObject({ path: ProjectPath, text, version: z.string().nullable(), base: text.nullable() }),
    z.object({ theirs: ScriptText, parts: z.array(MergePart) }),
  ),
  /**
   * Submits the user's own change to several files for review, like a proposal of the assistant: a rename throughout
   * the game. `text` null removes the file; `from` names the file that a new one replaces, whose line endings are kept.
   * `title` names the change in the history. `E_CONFLICT` when a file is not at `version`, or when another proposal is
   * being drafted or reviewed.
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
  /** The unsaved text of an open file, for the stage and the assistant; null: saved or closed. */
  'script.buffer': method(
    z.strictObject({
      path: ProjectPath,
      text: text.nullable(),
      /** The version on disk that the text was made from; null: unknown, or there was no file. */
      version: z.string().nullable().default(null),
      /** The page's id of this text, on which edits are based. */
      revision: z.string().max(200).nullable().default(null),
    }),
    nothing,
  ),
  /**
   * Changes the unsaved text by edits, so that a keystroke does not send a whole scene. `base` is the revision of the
   * buffer or, without one, the version on disk. Not `taken` when the app has another text; the page then sends the whole text.
   */
  'script.editBuffer': method(
    z.strictObject({
      path: ProjectPath,
      base: z.string().max(200),
      edits: z.array(OffsetEdit).max(2000),
      /** Length of the text after the edits, in UTF-16 units. */
      length: z.number().int().nonnegative(),
      version: z.string().nullable(),
      revision: z.string().max(200),
    }),
    z.object({ taken: z.boolean() }),
  ),
  /** The buffers of the open game. After a crash or a reload of the page they hold the unsaved text. */
  'script.unsaved': method(nothing, z.object({ files: z.array(UnsavedText) })),

  'stage.state': method(nothing, StageState),
  'stage.show': method(StageRequest, nothing),
  'stage.reload': method(nothing, nothing),
  'stage.useEngine': method(z.strictObject({ choice: EngineChoice }), nothing),
  ...stageOrders,
  /**
   * Stores a picture of the stage or the window, scaled down; the area is its place in the window, in CSS pixels. Where the host has no
   * camera, the engine's page draws the stage. Throws `E_UNSUPPORTED` (`stage.noCamera`) where no picture can be taken.
   */
  'stage.capture': method(
    z.strictObject({ of: z.enum(['stage', 'window']), x: pixels, y: pixels, width: pixels, height: pixels }),
    z.object({ picture: Picture }),
  ),
  /** What the page received from the engine's frame: console lines and uncaught errors. */
  'stage.report': method(
    z.strictObject({ kind: z.enum(['console', 'exception']), text: z.string().max(4000) }),
    nothing,
  ),

  /** Reports a page that shows the open game, when it loads and when it receives the focus: it carries out what the assistant asks. */
  'viewer.attach': method(z.strictObject({ page: id }), nothing),
  'viewer.detach': method(z.strictObject({ page: id }), nothing),
  /** What became of an action that `viewer.requested` asked for. */
  'viewer.answer': method(z.strictObject({ request: id, page: id, result: ViewerResult }), nothing),

  'chat.state': method(nothing, z.object({ chat: ChatState.nullable() })),
  /** The rows of the open session before index `before` (0-based), and the number of rows before those. */
  'chat.earlier': method(
    z.strictObject({ session: id, before: z.int().min(0) }),
    z.object({ items: z.array(ChatItem), earlier: z.int().min(0) }),
  ),
  'chat.open': method(z.strictObject({ session: id }), nothing),
  'chat.create': method(nothing, nothing),
  /** Starts a turn and returns at once; progress is reported as events. `context` is the cursor's position. */
  'chat.send': method(z.strictObject(userMessage), z.object({ turn: z.string() })),
  /**
   * Keeps a message until the assistant has finished; then it starts the next turn. `now`: it is delivered in the running turn, before
   * the next request to the model. Throws `E_TOO_LARGE` when too many wait.
   */
  'chat.queue': method(z.strictObject({ ...userMessage, now: z.boolean().default(false) }), nothing),
  'chat.editQueued': method(z.strictObject({ id, text: userMessage.text }), nothing),
  'chat.removeQueued': method(z.strictObject({ id }), nothing),
  /** Delivers a waiting message in the running turn, or starts a turn with it. Throws `E_CONFLICT` while a question waits. */
  'chat.sendQueued': method(z.strictObject({ id }), nothing),
  /** Sets a message of the user and everything after it aside, and sends the text instead. Throws `E_NOT_FOUND`. */
  'chat.resend': method(z.strictObject({ ...userMessage, message: id }), nothing),
  /** Stops the assistant and brings back what `chat.resend` set aside (`undoable` of the state). Throws `E_NOT_FOUND`. */
  'chat.undoResend': method(z.strictObject({ id }), nothing),
  /** Changes the plan shown in the chat: every step, in the new order. Throws `E_NOT_FOUND` when it waits no longer. */
  'chat.editPlan': method(PlanEdit, nothing),
  /** Carries out the plan shown in the chat, step by step. */
  'chat.runPlan': method(z.strictObject({ plan: id, ...view }), z.object({ turn: z.string().nullable() })),
  /** The plans that could not run as they were, newest first. `leftOut`: files that cannot be read, or are too large or too many. */
  'plans.saved': method(nothing, z.object({ plans: z.array(SavedPlan), leftOut: z.int().min(0) })),
  /**
   * Shows a saved plan in the open conversation, validated anew. `E_NOT_FOUND` (`plans.gone`); `E_UNSUPPORTED` (`plans.foreign`,
   * `plans.damaged`).
   */
  'plans.reopen': method(z.strictObject({ id }), nothing),
  /** Puts a saved plan aside for 30 days. */
  'plans.discard': method(z.strictObject({ id }), nothing),
  'plans.restore': method(z.strictObject({ id }), nothing),
  'chat.answer': method(QuestionAnswer.safeExtend({ ...attachments, ...view }), z.object({ turn: z.string() })),
  /**
   * Stores a picture for a message. `E_UNSUPPORTED` (`picture.type`) for bytes that are no picture, `E_TOO_LARGE`
   * (`picture.tooLarge`) for too many.
   */
  'chat.addPicture': method(z.strictObject({ data: PictureData }), z.object({ picture: Picture })),
  /** The bytes of a picture of the game, for a message. Errors as of `chat.addPicture`, and those of reading a file. */
  'chat.assetPicture': method(z.strictObject({ path: ProjectPath }), z.object({ type: PictureType, data: z.string() })),
  /** The bytes of a stored picture in base64. `E_NOT_FOUND` when it is gone or was changed. */
  'chat.picture': method(z.strictObject({ id: PictureId }), z.object({ type: PictureType, data: z.string() })),
  /** The user's answer to a pending consent question. */
  'chat.consent': method(z.strictObject({ id, answer: ConsentAnswer }), nothing),
  /** Lets the assistant go on after its last turn ended early, without a new message. */
  'chat.continue': method(nothing, z.object({ turn: z.string() })),
  'chat.stop': method(nothing, nothing),
  /** Gives a conversation a title; the open one unless `session` names another. */
  'chat.rename': method(z.strictObject({ title: z.string().trim().min(1).max(200), session: id.optional() }), nothing),
  /** Replaces the conversation so far by a summary, for the model only. Throws `E_CONFLICT` while a turn runs. */
  'chat.compact': method(nothing, nothing),
  /** Sends the model the full text again instead of the summary `id`. */
  'chat.undoCompaction': method(z.strictObject({ id }), nothing),
  /** Opens the sample with the practice assistant, which needs no key and no model. */
  'chat.startTour': method(nothing, nothing),

  'proposal.current': method(nothing, z.object({ proposal: Proposal.nullable() })),
  /** Applies a part of the proposal as one transaction; the rest still waits. `AcceptRequest` says what is refused. */
  'proposal.accept': method(AcceptRequest, AcceptResult),
  /** Chooses the part of the proposal that the stage plays, until the proposal changes. No files: nothing of it. */
  'proposal.choose': method(ProposalPart, nothing),
  /** Discards the proposal. With feedback, a new turn starts from it. */
  'proposal.reject': method(z.strictObject({ id, feedback: z.string().max(20_000), ...view }), nothing),

  /** The changes that the user can revert, newest first; `total` counts all groups. */
  'history.list': method(
    z.strictObject({ skip: z.int().min(0).default(0), limit: z.int().min(1).max(1000).default(1000) }),
    z.object({ groups: z.array(HistoryGroup), total: z.int().min(0) }),
  ),
  /** The snapshot's text and the current text on disk; null: no such file. */
  'history.diff': method(
    z.strictObject({ snapshotId: id }),
    z.object({ path: z.string(), kept: z.string().nullable(), now: z.string().nullable() }),
  ),
  /**
   * Restores snapshots. The current texts are snapshotted first, so that a restore can be undone by restoring `group`.
   */
  'history.restore': method(
    z.strictObject({ snapshotIds: z.array(id).min(1).max(1000) }),
    z.object({ group: z.string(), files: z.array(ChangedFile) }),
  ),
  /**
   * Reverts a change as a whole: every file must still be as the change left it. `E_CONFLICT`, reason
   * `history.changedSince`, lists in `details.paths` the files that are not; nothing is written then. Returns the
   * change that the undo made, so that undoing it is a redo.
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

  /** Checkpoints of the whole game, newest first; `damaged` counts unreadable ones. */
  'checkpoints.list': method(nothing, z.object({ checkpoints: z.array(Checkpoint), damaged: z.int().min(0) })),
  /** Keeps the present state of all files. Throws `E_TOO_LARGE` (`checkpoint.full`); then nothing was kept. */
  'checkpoints.create': method(
    z.strictObject({ name: z.string().trim().max(200) }),
    z.object({ checkpoint: Checkpoint }),
  ),
  /** Gives a checkpoint a name. It is then the user's, and does not expire. */
  'checkpoints.rename': method(z.strictObject({ id: CheckpointId, name: z.string().trim().min(1).max(200) }), nothing),
  'checkpoints.remove': method(z.strictObject({ id: CheckpointId }), nothing),
  'checkpoints.usage': method(nothing, CheckpointUsage),
  /**
   * The files that differ from one state to another (null: the present), sorted by path: the first ones, and how many in
   * total. `leftOut`: files of the present that cannot be kept.
   */
  'checkpoints.compare': method(
    z.strictObject({ from: CheckpointId, to: CheckpointId.nullable() }),
    z.object({ files: z.array(ChangedEntry), total: z.int().min(0), leftOut: z.array(LeftOutFile) }),
  ),
  /** A file in a state; `id` null: the present. */
  'checkpoints.file': method(z.strictObject({ id: CheckpointId.nullable(), path: ProjectPath }), KeptFile),
  /**
   * Restores all files of a checkpoint, or the named ones; a named file that is not in it is removed. The present is kept
   * first. Rejects if nothing was changed; `failed` names files that were not restored while others were.
   */
  'checkpoints.restore': method(
    z.strictObject({ id: CheckpointId, paths: z.array(ProjectPath).min(1).max(100_000).optional() }),
    RestoreResult,
  ),
  /** Ends what runs on checkpoints, as far as nothing of the game was changed yet. */
  'checkpoints.stop': method(nothing, nothing),
  ...{
    ...conversationMethods,
    ...assetMethods,
    ...transactionMethods,
    ...playtestMethods,
    ...gitMethods,
    ...capabilityMethods,
  },
  ...terreMethods,

  ...toolMethods,

  'settings.read': method(nothing, z.object({ settings: Settings, providers: z.array(ProviderFacts), keys: KeyState })),
  'settings.update': method(SettingsPatch, nothing),
  'settings.choose': method(z.strictObject({ provider: ProviderId, choice: ProviderChoice }), nothing),
  /** The only method that accepts a key; no method returns one. */
  'settings.setKey': method(
    z.strictObject({ provider: ProviderId, key: z.string().trim().min(1).max(1000) }),
    KeyState,
  ),
  'settings.forgetKeys': method(nothing, KeyState),
  'settings.testConnection': method(z.strictObject({ provider: ProviderId }), ConnectionResult),

  /** What the requests of today used and cost, in every game and window of this user. */
  'spending.today': method(nothing, z.object({ total: UsageTotal })),

  'updates.state': method(nothing, UpdateState),
  /**
   * Queries the feed for a newer version; the result is reported as `updates.changed`. `E_UNSUPPORTED` where there are
   * no updates.
   */
  'updates.check': method(nothing, nothing),
  /** Downloads the version that was found, where the download is not automatic. */
  'updates.download': method(nothing, nothing),
} as const;

export const events = {
  'project.changed': z.object({ project: Project.nullable() }),
  /**
   * The host received a folder (a second start, a folder dropped on the window): the page opens it if the open game may
   * be closed.
   */
  'project.offered': z.object({ id }),
  /** The list of recent games changed. */
  'project.recentsChanged': z.object({}),
  /** Files that appeared, changed or vanished on disk, whatever the cause. */
  'project.filesChanged': z.object({ paths: z.array(z.string()) }),
  /** Open files with unsaved text. Empty once all is saved. */
  'script.unsavedChanged': z.object({ paths: z.array(z.string()) }),
  ...stageEvents,
  /** The assistant asks for an action in one page. */
  'viewer.requested': ViewerRequest,
  /** The open session changed, or was closed. */
  'chat.changed': z.object({ chat: ChatState.nullable() }),
  /**
   * New or changed rows, each with its index among all rows of the session; `seq` grows by one, so that a page detects
   * a missed event.
   */
  'chat.updated': z.object({
    session: z.string(),
    seq: z.int(),
    phase: ChatPhase,
    title: z.string(),
    items: z.array(ChatItem),
    places: z.array(z.int().min(0)),
    waiting: ChatState.shape.waiting,
    undoable: ChatState.shape.undoable,
    turnUsage: UsageTotal,
    sessionUsage: UsageTotal,
    context: ContextUse,
    todo: ChatState.shape.todo,
    /** Absent when it is the same as in the update before. */
    queue: ChatState.shape.queue.optional(),
  }),
  /** Text to append to the streaming row `item`; at most one event per 40 ms. */
  'chat.streamed': z.object({ session: z.string(), item: z.string(), text: z.string() }),
  /** The current proposal changed, or was removed. */
  'proposal.changed': z.object({ proposal: Proposal.nullable() }),
  /**
   * The current proposal was updated: everything but its files, the files that are new or changed, and the paths that
   * were removed from it. `seq` begins at 1 with each proposal and grows by one, so that a page detects a missed event.
   */
  'proposal.updated': z.object({
    seq: z.int(),
    head: Proposal.omit({ files: true }),
    files: z.array(ProposedFile),
    gone: z.array(z.string()),
  }),
  'history.changed': z.object({}),
  'checkpoints.changed': z.object({}),
  /** What runs on checkpoints, about ten times a second; null: it ended. */
  'checkpoints.progressed': z.object({ progress: CheckpointProgress.nullable() }),
  /** Transactions were added or changed their status. */
  'transactions.changed': z.object({}),
  'git.changed': z.object({ git: GitState.nullable() }),
  ...playtestEvents,
  /** The list of saved plans changed. */
  'plans.changed': z.object({}),
  /** A line was added to the audit log. */
  'audit.changed': z.object({}),
  /** The open game's policy file changed, or tools of other programs came or went. */
  'tools.changed': z.object({}),
  ...capabilityEvents,
  ...terreEvents,
  ...assetEvents,
  'settings.changed': z.object({ settings: Settings, keys: KeyState }),
  'updates.changed': UpdateState,
  /** The user chose a menu item of the host; the page carries it out. */
  'app.commanded': AppCommand,
  /** A notice that no call of the page caused; `reason` names the message (`errors:<reason>`). */
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
/** Sends an event to every page. */
export type Emit = <E extends EventName>(event: E, payload: Payload<E>) => void;

export interface AppApi {
  /** Rejects with `AppError`. */
  call<M extends Method>(method: M, input: Input<M>): Promise<Output<M>>;
  on<E extends EventName>(event: E, listener: (payload: Payload<E>) => void): () => void;
}
