import type { Output, Parsed } from '../../shared/contract.ts';
import type { ErrorData } from '../../shared/errors.ts';
import type { Asset } from '../../shared/model/asset/asset.ts';
import type { Caller } from '../../shared/model/capability/caller.ts';
import type { ChatMode, ChatState, ConsentAnswer } from '../../shared/model/chat.ts';
import type { UsageTotal } from '../../shared/model/cost/usage.ts';
import type { LocalText } from '../../shared/model/local-text.ts';
import type { MediaChange } from '../../shared/model/message/disk-change.ts';
import type { Picture } from '../../shared/model/message/picture.ts';
import type { StepMark } from '../../shared/model/plan/step-mark.ts';
import type { UnsavedText } from '../../shared/model/project.ts';
import type { AcceptResult, Proposal, ProposalPart, ProposalStep } from '../../shared/model/proposal.ts';
import type { ChangedFile, HistoryGroup } from '../../shared/model/snapshot.ts';
import type { EngineChoice, StagePlace, StageRequest, StageState } from '../../shared/model/stage.ts';
import type { CallDisplay, ToolStage, ToolWriter } from './capability/define-tool.ts';
import type { Confirm } from './capability/runner/confirm.ts';
import type { ConversationList } from './conversation-list.ts';
import type { ModelTool } from './ports/models.ts';
import type { Reader } from './ports/reader.ts';
import type { StageDriver } from './ports/stage-driver.ts';
import type { Change, WriteLabel } from './ports/writer.ts';
import type { TurnAccount } from './spending/turn-account.ts';
import type { StageOrders } from './stage/operations/stage-orders.ts';
import type { Sentence } from './stage/route/sentence.ts';

/**
 * The interfaces between the services of the core. One open game has one instance of each; `open-project.ts` creates them in
 * the order of this file and closes them in reverse order.
 */

/** Unsaved text of the editor, by project path. */
export interface Buffers {
  /**
   * Stores the unsaved text of a file; null removes it. `version`: the version on disk that the text is based on; null if
   * unknown or if there was no file. `revision`: the identifier that edits of this text name as their base.
   */
  set(path: string, text: string | null, of?: { version?: string | null; revision?: string | null }): void;
  /** Returns null if there is no text or it has no revision. */
  revision(path: string): string | null;
  all(): ReadonlyMap<string, string>;
  /** Returns the texts with their versions, for a page that reloads. */
  unsaved(): UnsavedText[];
  on(listener: () => void): () => void;
}

/**
 * A drafted text; null deletes the file. `before` is the text on disk when the file was first drafted (null: no file), and
 * `base` is its version.
 */
export interface Draft {
  path: string;
  base: string | null;
  before: string | null;
  text: string | null;
  /** The previous path of a renamed file. */
  from?: string;
  /** Ids of the plan's steps that drafted it, oldest first; absent outside of a plan. */
  steps?: readonly string[];
  /** The lines that those steps wrote; absent where it is not known. */
  marks?: readonly StepMark[];
}

/** What is accepted of one file: the text that is written, and the draft of what still waits of it (null: nothing). */
export interface WrittenPart {
  path: string;
  text: string | null;
  rest: Draft | null;
}

/** What the drafts of a step need to be written without review. */
export interface StepWrite {
  label: Omit<WriteLabel, 'origin' | 'transaction' | 'isPending'>;
  /** Called right before the write. Returns the validated changes and their transaction, or why the user has to review them. */
  validate(drafts: readonly Draft[]): Promise<{ changes: Change[]; transaction: string } | { issues: string[] }>;
  /** Awaited before the write, so that a crash loses nothing. */
  begin(paths: readonly string[], transaction: string): Promise<void>;
}

/** `drafted`: nothing was written, and the drafts stay for review. */
export type StepWritten =
  | { kind: 'written'; transaction: string; paths: string[] }
  | { kind: 'drafted'; issues: string[] };

/** Records of an acceptance, so that a crash loses nothing. */
export interface AcceptJournal {
  /** Awaited before the write for each draft that was merged with the disk. */
  keepMerged(draft: Draft): Promise<void>;
  /** Awaited before the write for each file of which only some pieces are written. */
  keepPart(part: WrittenPart): Promise<void>;
  /** Awaited after the write for each draft that still waits in part. Must not reject: the files are written. */
  keepRest(draft: Draft): Promise<void>;
}

/** The overlay of edits that the user has not accepted yet, and the operations that write it to disk. */
export interface ProposalService {
  /** The disk with the drafts over it, as the assistant and the validator read it. */
  reader: Reader;
  /** Writes drafts; does not write to disk. */
  writer: ToolWriter;
  /** Returns proposed texts by project path, without deleted files. Empty if there is no proposal. */
  texts(): ReadonlyMap<string, string>;
  /** Returns the texts that the stage plays over the disk: those of the chosen part, or all. */
  played(): ReadonlyMap<string, string>;
  /** Chooses the part that the stage plays, until the proposal changes. Throws like `accept`. */
  choose(part: ProposalPart): Promise<void>;
  current(): Proposal | null;
  /** Starts drafting for `turn`; continues an open proposal. A draft takes effect only after `record` resolved. */
  begin(turn: string, record: (draft: Draft) => Promise<void>): void;
  /** Drafts from now on carry this step of a plan; null: none. Ends with the drafting. */
  setStep(step: ProposalStep | null): void;
  /**
   * Writes to the disk what a step alone has drafted, without review. Returns why its drafts stay. Throws unless the assistant drafts.
   */
  writeStep(step: string, write: StepWrite): Promise<StepWritten>;
  /** Ends drafting. Returns null if nothing differs from the disk; otherwise the proposal is in review. */
  finish(summary: string): Promise<Proposal | null>;
  /**
   * Submits a change by the user for review. Throws `E_CONFLICT` while the assistant drafts (reason `chat.busy`) or while another
   * proposal exists (`proposal.waits`).
   */
  propose(title: string, drafts: readonly Draft[]): Promise<void>;
  /**
   * Re-reads the files on disk, merges, and applies the result in one transaction, or writes nothing and returns the
   * conflicts. What is not taken of a file stays in the proposal. Throws `E_CONFLICT` for pieces of another version of a file.
   */
  accept(
    request: Parsed<'proposal.accept'>,
    label: Pick<WriteLabel, 'group' | 'title' | 'patch'>,
    journal?: AcceptJournal,
  ): Promise<AcceptResult>;
  /** Re-reads the named files, merges changes on disk, and notifies listeners if the proposal changed. */
  recheck(paths: readonly string[]): Promise<void>;
  /** Discards the drafts immediately. Resolves when no restart restores them. */
  discard(): Promise<void>;
  /** Restores a proposal from the session log after a restart. */
  restore(proposal: {
    id: string;
    turn: string;
    summary: string;
    drafts: readonly Draft[];
    /** The steps of the plans that drafted them, in order. */
    steps?: readonly ProposalStep[];
  }): Promise<void>;
  /**
   * Restores the user's own change that waited for review when the app ended; does nothing if a proposal exists. Throws
   * `E_IO` if the game cannot be read.
   */
  restoreOwn(): Promise<void>;
  on(listener: () => void): () => void;
}

export interface Stage extends ToolStage, StageOrders, Pick<StageDriver, 'takePicture'> {
  state(): StageState;
  show(request: StageRequest): void;
  /** The sentence to which the player went since the last jump; null if that shows what is on the stage. */
  sentence(): Sentence | null;
  /** Shows a line, and plays the story on to a sentence behind it. */
  showSentence(place: StagePlace, sentence: Sentence | null): void;
  reload(): void;
  useEngine(choice: EngineChoice): Promise<void>;
  report(report: Parsed<'stage.report'>): void;
  /** Updates the scene after changes on disk; reloads the engine for files that it reads only once. */
  filesChanged(paths: readonly string[]): void;
  dispose(): void;
}

export interface ToolOutcome {
  ok: boolean;
  /** The tool's result, in the contract's shape. */
  value?: unknown;
  /** The parsed arguments: with defaults, and with loose input normalised. Only for a call that ran. */
  input?: unknown;
  error?: ErrorData;
  /** The versions of texts that the call showed or wrote, by path; null: the file is gone. Absent for none. */
  seen?: Record<string, string | null>;
  /** Pictures for the model. Absent for none. */
  pictures?: readonly Picture[];
  /** Pictures and sounds for the user, see `Tool.assets`. */
  assets?: readonly Asset[];
  /** Tokens of the requests to a model that the call made. Absent for none. */
  spent?: UsageTotal;
  milliseconds: number;
}

/** Runs tools; no other code does. Never throws. */
export interface ToolRunner {
  /** Returns the tools offered to the model in a mode, sorted by name so that prompt caches of providers stay valid. */
  list(mode: ChatMode): ModelTool[];
  /**
   * Lists from now on the tools that exist now; until then `list` stays as it was. Returns the names of those that came and
   * went, and of which programs some are not offered because there are too many. Absent where nothing can change.
   */
  renew?(): { added: string[]; removed: string[]; leftOut: { provider: string; count: number }[] };
  /** Returns how many tools came, went or changed since the last `renew`. Absent where nothing can change. */
  pending?(): { added: number; removed: number; changed: number };
  /** Reads settings and policy file again, so that `list` follows them. Absent where nothing can change. */
  refresh?(): Promise<void>;
  /** Returns the summary and the files shown for a call; for invalid input, the tool's title. */
  describe(name: string, input: unknown): { summary: LocalText; paths: string[] };
  /** Returns how the chat shows calls of a tool, also by an earlier name; `other` for an unknown tool. */
  displayOf(name: string): CallDisplay;
  run(call: {
    id: string;
    name: string;
    input: unknown;
    mode: ChatMode;
    /** The id of the turn, for the audit log. */
    trace: string;
    /** Who calls. Default: the caller of this runner. */
    caller?: Caller;
    /** The version of the tool that the caller was written for, or a range such as `^1.0.0`. Default: as last listed, else the current one. */
    version?: string;
    /** The versions that the conversation was shown, by path. Default: those of all calls of this runner. */
    seen?: ReadonlyMap<string, string>;
    /** What the turn used so far, for requests to a model that the call makes. */
    account?: TurnAccount;
    /** Receives what a long call does, as a sentence. */
    report?: (text: LocalText) => Promise<void>;
    /** Asks for permission for this call. Default: the host's own way of asking. */
    confirm?: Confirm;
    /** True for a call that waited for the user: it was counted for the tool's rate limit when it came. */
    isCounted?: boolean;
    /** False for a call that is refused where no one can be asked, and never waits for the user. Default: as the host does it. */
    canWait?: boolean;
    signal: AbortSignal;
  }): Promise<ToolOutcome>;
}

export interface Chat extends ConversationList {
  state(): ChatState | null;
  /** Returns the rows of the open session before position `before`. Throws `E_NOT_FOUND` if another session is open. */
  earlier(session: string, before: number): Output<'chat.earlier'>;
  open(session: string): Promise<void>;
  create(): Promise<void>;
  send(message: Parsed<'chat.send'>): Promise<{ turn: string }>;
  /** Keeps a message until the turn has ended. Throws `E_TOO_LARGE`, reason `chat.queueFull`. */
  queue(message: Parsed<'chat.queue'>): Promise<void>;
  /** These throw `E_NOT_FOUND`, reason `chat.queuedGone`, when the message does not wait any more. */
  editQueued(id: string, text: string): Promise<void>;
  removeQueued(id: string): Promise<void>;
  /** Delivers a waiting message between two steps of the running turn, or starts a turn with it. */
  sendQueued(id: string): Promise<void>;
  /** Throws `E_NOT_FOUND`, reason `chat.messageGone`, for a message that is not there or was set aside. */
  resend(message: Parsed<'chat.resend'>): Promise<void>;
  /** Throws `E_NOT_FOUND`, reason `chat.undoGone`, when something newer was sent. */
  undoResend(id: string): Promise<void>;
  /** `turn` is null if the plan was only checked. Throws `E_UNSUPPORTED`, reason `chat.planNotReady`, when no step of the plan may run. */
  runPlan(plan: string, context?: Parsed<'chat.runPlan'>['context']): Promise<{ turn: string | null }>;
  /** Changes a plan that waits: its steps in their new order. */
  editPlan(plan: string, steps: Parsed<'chat.editPlan'>['steps']): Promise<void>;
  /** The plans that could not run as they were. */
  savedPlans: {
    list(): Promise<Output<'plans.saved'>>;
    /** Shows it in the open conversation, or in a new one where that came with the game or is the guided tour. */
    reopen(id: string): Promise<void>;
    discard(id: string): Promise<void>;
    restore(id: string): Promise<void>;
  };
  answer(question: string, answer: Omit<Parsed<'chat.answer'>, 'question'>): Promise<{ turn: string }>;
  /** Starts a turn that goes on where the last one ended. Throws `E_UNSUPPORTED` before the first turn. */
  continue(): Promise<{ turn: string }>;
  /** Answers the permission request `id`. Throws `E_NOT_FOUND` if it is no longer pending. */
  consent(id: string, answer: ConsentAnswer): Promise<void>;
  stop(): Promise<void>;
  /** Logs in the open conversation what happened to the files that it knows; the next request would do so, too. */
  noticeDisk(): Promise<void>;
  /** Keeps what a restore did to pictures and sounds for the next `noticeDisk` or request of the open conversation. */
  noteMedia(changes: readonly MediaChange[]): void;
  /** Replaces the conversation so far by a summary for the model; resolves when it is written or was stopped. */
  compact(): Promise<void>;
  /** Sends the model the full text again. Throws `E_NOT_FOUND` if there is no such summary in use. */
  undoCompaction(id: string): Promise<void>;
  /** Starts a new session with the practice assistant. */
  startTour(): Promise<void>;
  accept(request: Parsed<'proposal.accept'>): Promise<AcceptResult>;
  reject(request: Parsed<'proposal.reject'>): Promise<void>;
  /** Stops a running turn and leaves the log in a state from which the session can be resumed. */
  dispose(): Promise<void>;
}

export interface History {
  list(): Promise<HistoryGroup[]>;
  diff(snapshotId: string): Promise<Output<'history.diff'>>;
  restore(snapshotIds: readonly string[]): Promise<Output<'history.restore'>>;
  /** Writes a text that is kept elsewhere as a restore; null removes the file. */
  restoreText(path: string, text: string | null, title: string): Promise<Output<'history.restore'>>;
  /** Undoes a change. Throws `E_CONFLICT` and writes nothing if one of its files changed since. */
  undo(files: readonly ChangedFile[]): Promise<Output<'history.undo'>>;
}
