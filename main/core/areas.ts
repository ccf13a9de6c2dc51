import type { Output, Parsed } from '../../shared/contract.ts';
import type { ErrorData } from '../../shared/errors.ts';
import type { ChatMode, ChatState, ConsentAnswer, SessionSummary } from '../../shared/model/chat.ts';
import type { UnsavedText } from '../../shared/model/project.ts';
import type { AcceptResult, Proposal } from '../../shared/model/proposal.ts';
import type { ChangedFile, HistoryGroup } from '../../shared/model/snapshot.ts';
import type { StagePlace, StageState } from '../../shared/model/stage.ts';
import type { LocalText } from '../../shared/model/text.ts';
import type { ToolStage, ToolWriter } from './capability/define-tool.ts';
import type { Confirm } from './capability/run-tool.ts';
import type { ModelTool, Reader } from './ports.ts';

/**
 * What the areas of the core offer each other. One open game has one of each; `open-project.ts` creates them in the
 * order of this page and closes them in the opposite one.
 */

/** Text she has typed and not saved, by project path. */
export interface Buffers {
  /**
   * `version`: the disk's that the text was made from; null when unknown or when there was no file. `revision`: what edits
   * of this text name as their base.
   */
  set(path: string, text: string | null, of?: { version?: string | null; revision?: string | null }): void;
  /** Null when there is no text, or one without a name. */
  revision(path: string): string | null;
  all(): ReadonlyMap<string, string>;
  /** The same with versions, for a page that starts again. */
  unsaved(): UnsavedText[];
  on(listener: () => void): () => void;
}

/** A text the assistant drafted; null: the file goes. `before` is the disk's when the file was first touched (null: none), `base` its version. */
export interface Draft {
  path: string;
  base: string | null;
  before: string | null;
  text: string | null;
  /** The file it was before it got another name. */
  from?: string;
}

/** The overlay of edits that nobody has accepted, and the way they get to the disk. */
export interface ProposalDesk {
  /** The disk with the drafts over it: what the assistant and the validator see. */
  reader: Reader;
  /** Drafts; touches no disk. */
  writer: ToolWriter;
  /** Project path → proposed text; files that go are not in it. Empty when there is no proposal. */
  texts(): ReadonlyMap<string, string>;
  current(): Proposal | null;
  /** Drafts from now on belong to `turn`; a proposal still open is continued. `record` must have kept a draft before it counts. */
  begin(turn: string, record: (draft: Draft) => Promise<void>): void;
  /** Ends drafting. Null when nothing differs from the disk; otherwise the proposal waits for review. */
  finish(summary: string): Promise<Proposal | null>;
  /** Puts a change of the writer's own up for review. Only while the assistant is at rest and nothing waits. */
  propose(title: string, drafts: readonly Draft[]): Promise<void>;
  /**
   * Re-checks what lies on disk and merges with it, then applies in one transaction, or writes nothing and names the
   * clashes. `keepMerged` must have kept what was merged before it is written, for a crash right after.
   */
  accept(
    request: Parsed<'proposal.accept'>,
    label: { group: string; title: string },
    keepMerged?: (draft: Draft) => Promise<void>,
  ): Promise<AcceptResult>;
  /** Looks again how the named files lie on disk, merges with what changed there, and tells when that is news. */
  recheck(paths: readonly string[]): Promise<void>;
  /** Throws the drafts away. */
  discard(): void;
  /** Brings a proposal back after a restart, as the session log kept it. */
  restore(proposal: { id: string; turn: string; summary: string; drafts: readonly Draft[] }): Promise<void>;
  on(listener: () => void): () => void;
}

export interface Stage extends ToolStage {
  state(): StageState;
  show(place: StagePlace): void;
  reload(): void;
  report(report: Parsed<'stage.report'>): void;
  /** Files changed on disk: the scene is shown again, and what the engine reads only once is loaded anew. */
  filesChanged(paths: readonly string[]): void;
  dispose(): void;
}

export interface ToolOutcome {
  ok: boolean;
  /** The tool's answer, in the contract's shape. */
  value?: unknown;
  /** The arguments as they were understood: defaults filled, sloppy shapes mended. Only of a call that ran. */
  input?: unknown;
  error?: ErrorData;
  milliseconds: number;
}

/** The one way a tool runs. Never throws. */
export interface ToolRunner {
  /** What the model is offered in a mode, sorted by name so that provider caches hold. */
  list(mode: ChatMode): ModelTool[];
  /** The sentence and the files for a call's card; for nonsense input, the tool's title. */
  describe(name: string, input: unknown): { summary: LocalText; paths: string[] };
  run(call: {
    id: string;
    name: string;
    input: unknown;
    mode: ChatMode;
    /** The turn, so that the audit log can be read by turn. */
    trace: string;
    /** The version of the tool the caller speaks; today's when left out. */
    version?: string;
    /** Who is asked about this call; the host's own way of asking when left out. */
    confirm?: Confirm;
    signal: AbortSignal;
  }): Promise<ToolOutcome>;
}

export interface Chat {
  state(): ChatState | null;
  /** The rows of the open session before the place `before`; `E_NOT_FOUND` when another one is open. */
  earlier(session: string, before: number): Output<'chat.earlier'>;
  sessions(): Promise<SessionSummary[]>;
  open(session: string): Promise<void>;
  create(): Promise<void>;
  send(message: Parsed<'chat.send'>): Promise<{ turn: string }>;
  runPlan(plan: string): Promise<{ turn: string }>;
  answer(question: string, text: string): Promise<{ turn: string }>;
  /** Her word on the step that waits; `E_NOT_FOUND` when it does not wait any more. */
  consent(id: string, answer: ConsentAnswer): Promise<void>;
  stop(): Promise<void>;
  /** A new session with the practice assistant. */
  startTour(): Promise<void>;
  /** Puts a change of hers up for review: `E_CONFLICT` while the assistant works or another proposal waits. */
  propose(title: string, drafts: readonly Draft[]): Promise<void>;
  accept(request: Parsed<'proposal.accept'>): Promise<AcceptResult>;
  reject(request: Parsed<'proposal.reject'>): Promise<void>;
  /** Stops what runs and leaves the log so that the session can be taken up again. */
  dispose(): Promise<void>;
}

export interface History {
  list(): Promise<HistoryGroup[]>;
  diff(snapshotId: string): Promise<{ path: string; kept: string | null; now: string | null }>;
  restore(snapshotIds: readonly string[]): Promise<{ group: string; files: ChangedFile[] }>;
  /** Takes back a change whose files are still as it left them, or throws `E_CONFLICT` and writes nothing. */
  undo(files: readonly ChangedFile[]): Promise<{ group: string; files: ChangedFile[] }>;
}
