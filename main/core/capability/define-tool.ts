import type { z } from 'zod';
import type { Asset } from '../../../shared/model/asset/asset.ts';
import type { Caller } from '../../../shared/model/capability/caller.ts';
import type {
  CapabilityType,
  Deprecation,
  ManifestProvider,
  RateLimit,
} from '../../../shared/model/capability/manifest.ts';
import type { Approval, AuditLevel, RiskLevel } from '../../../shared/model/capability/risk-matrix.ts';
import type { Permission } from '../../../shared/model/capability.ts';
import type { ToolAction } from '../../../shared/model/chat.ts';
import type { UsageTotal } from '../../../shared/model/cost/usage.ts';
import type { Claim, Declaration } from '../../../shared/model/external/declaration.ts';
import type { Locale, LocalText } from '../../../shared/model/local-text.ts';
import type { Picture } from '../../../shared/model/message/picture.ts';
import type { ViewerActionId, ViewerRequest, ViewerResult } from '../../../shared/model/viewer.ts';
import type { Commands } from '../ports/commands.ts';
import type { PlaytestPorts } from '../ports/engine-pages.ts';
import type { Clock } from '../ports/host.ts';
import type { LocalBrowser } from '../ports/local-browser.ts';
import type { Matcher, Reader } from '../ports/reader.ts';
import type { Assets } from '../ports/stores/assets.ts';
import type { StoryHelper } from '../ports/story-helper.ts';
import type { Painter } from '../ports/viewer/painter.ts';
import type { GameEngine } from '../ports/workspace.ts';
import type { Snapshots } from '../ports/writer.ts';
import type { Skills } from '../skills/skills.ts';
import type { TurnAccount } from '../spending/turn-account.ts';
import type { SaidOfAnswers } from './catalog/to-said.ts';
import type { EarlierShape } from './earlier-shape.ts';
import type { PlannedText } from './to-change-summary.ts';
import type { ToolRuntime } from './tool-runtime.ts';

/** The text that a tool writes to `path` (null: delete); `base` is the version it was made from (null: must not exist). */
export interface ToolChange {
  path: string;
  text: string | null;
  base: string | null;
  idempotencyKey?: string;
  /**
   * The request before it was combined with the existing text. Identifies a dry run with its write, and two calls with one
   * idempotency key. Left out by tools without dry run.
   */
  asked?: string;
}

/** The result of a write: `applied` when the text is on disk, `drafted` when it is in the proposal. */
export interface ToolWritten {
  applied: boolean;
  drafted: boolean;
  /** The idempotency key was used before with the same request; nothing was written this time. */
  repeated?: boolean;
  /** The version on disk after a write; null: no file. */
  version?: string | null;
  snapshotId?: string;
  bytesWritten?: number;
}

/** The destination of a tool's writes: the proposal in the app, the disk over MCP. */
export interface ToolWriter {
  /** Records a dry run, where a write requires one. Writes nothing. */
  recordDryRun?(change: ToolChange): Promise<void>;
  write(change: ToolChange): Promise<ToolWritten>;
  /** Writes all changes or none, each to another file; results are in the same order. */
  writeAll(changes: readonly ToolChange[]): Promise<ToolWritten[]>;
}

/** Shows a scene on the stage, from the same texts that the tool's reader returns. */
export interface ToolStage {
  preview(
    scenePath: string | undefined,
    signal: AbortSignal,
  ): Promise<{ url: string; logs: string[]; firstErrorLine?: number }>;
}

/** The window of the app, as far as the assistant may see and move it. */
export interface ToolViewer {
  /** Carries out an action in one page. Throws `E_UNSUPPORTED` without a page, `E_TIMEOUT` if it does not answer. */
  act(action: ViewerActionId, params: ViewerRequest['params'], signal: AbortSignal): Promise<ViewerResult>;
}

/** What a playtest needs. */
export interface ToolPlaytest {
  engine: PlaytestPorts;
  /** The texts that are played instead of those on the disk, by project path: the drafts that the tool's reader returns. */
  texts(): ReadonlyMap<string, string>;
}

/** The ports of tools. A tool receives those in its `needs` and no others, by type and at run time. */
export interface ToolPorts {
  reader: Reader;
  writer: ToolWriter;
  snapshots: Snapshots;
  matcher: Matcher;
  stage: ToolStage;
  viewer: ToolViewer;
  painter: Painter;
  playtest: ToolPlaytest;
  clock: Clock;
  runtime: ToolRuntime;
  commands: Commands;
  browser: LocalBrowser;
  /** The skills that the model may read. */
  skills: Pick<Skills, 'look'>;
  helper: StoryHelper;
  assets: Pick<Assets, 'add' | 'read'>;
}

export interface ToolContext {
  signal: AbortSignal;
  locale: Locale;
  /**
   * Project path → the version last shown to the caller. Replacing a whole file requires the current version, because a text
   * written from memory would silently revert changes of the user.
   */
  seen: Map<string, string>;
  /** The same object for all calls of a runner: the key of what a tool caches for it. */
  session: object;
  /** Reads the engine of the game; undefined: the bundled one. */
  engine?: (() => Promise<GameEngine>) | undefined;
  /** The id of the turn or session, for calls that this call makes. */
  trace: string;
  /** What kind of caller it is. */
  caller: Caller['type'];
  /** Shows the user what the running call does now. */
  report(text: LocalText): Promise<void>;
  /** What the turn used so far, for calls that make requests to a model; absent outside of a turn. */
  account?: TurnAccount | undefined;
  /** Counts what requests to a model used; `toSpent` is called when the call ends, also early. */
  spend(toSpent: () => UsageTotal): void;
  /** The approved result of `detail` for this call; the tool may run nothing else. */
  detail?: string;
}

/** At least what `risk-matrix.ts` demands for its level. */
export interface Risk {
  level: RiskLevel;
  /** Why this level: a name in the catalogue `risks`. */
  reason: string;
  /** True if the effect can be undone. Other effects require confirmation before they reach the disk. */
  rollback: boolean;
  /** True if a snapshot is taken first. A tool without it receives no writer; a tool with it must return one. */
  snapshot: boolean;
  approval: Approval;
  audit: AuditLevel;
}

/** How the chat shows a call. `text`: the text argument is a row of its own, and the call is shown only if it failed. */
export type CallDisplay = ToolAction | 'text';

/** What a single call needs and would do, for the policy and for the question to the user. */
interface ApprovalHooks<I extends z.ZodType, N extends keyof ToolPorts> {
  /** The permissions of a call when it needs fewer than the tool, such as a dry run. */
  permissionsFor?(input: z.output<I>): readonly Permission[];
  /** False for a call that plan mode does not have, of a tool that it has. */
  isInPlan?(input: z.output<I>): boolean;
  /** The name of the script that a call runs, for the policy file. */
  command?(input: z.output<I>): string;
  /**
   * Returns the exact text that a call would run, such as a script's body, for the question to the user. A text not shown in
   * this session requires a question even when the tool is allowed.
   */
  detail?(input: z.output<I>, ports: Pick<ToolPorts, N>): Promise<string>;
  /** The result of `detail` at the time the game was opened; null when there was nothing to run. */
  detailAtStart?(input: z.output<I>, ports: Pick<ToolPorts, N>): Promise<string | null>;
  /**
   * Returns the texts that a call would write, for the question to the user; empty for no change. Computed only for a question.
   * Consent covers exactly these texts.
   */
  plan?(
    input: z.output<I>,
    ports: Pick<ToolPorts, N>,
    context: Pick<ToolContext, 'signal' | 'locale'>,
  ): Promise<readonly PlannedText[]>;
}

/**
 * The declaration of a tool. Every list, schema, manifest and page about it is derived from this value. The tools of the app
 * start from a preset of their kind (`main/tools/support/tool-presets.ts`).
 */
export interface Tool<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  N extends keyof ToolPorts = keyof ToolPorts,
> {
  /** Dotted id, nouns first: `project.file.write`. */
  capability: string;
  /** Absent for the app's own tools. */
  provider?: ManifestProvider;
  /** The name for models and MCP clients (`write_to_file`), equal to the file name. */
  name: string;
  version: string;
  type: Exclude<CapabilityType, 'event'>;
  title: LocalText;
  /** One or two plain sentences for the user, shown in the permission settings. */
  about: LocalText;
  /** What another program says of its tool, for the user; undefined where it says nothing. */
  says?: LocalText | undefined;
  /** Description for the model: effect, limits, when to use it. */
  description: string;
  input: I;
  /** The published schema of the arguments where `input` cannot be converted to one: a capability of another program. */
  rawInput?: Record<string, unknown>;
  output: O;
  permissions: readonly Permission[];
  /** Hooks of the decision about a single call. */
  approval?: ApprovalHooks<I, N>;
  /** Side effects in one sentence, or `none`. */
  sideEffects: string;
  risk: Risk;
  /** Calls of one caller per minute, or in another window. */
  rateLimit: number | Extract<RateLimit, { requests: number }>;
  /** Milliseconds after which a call fails with `E_TIMEOUT`. */
  timeout: number;
  /** It is not offered to models any more, and runs until the day of its sunset. */
  deprecated?: Deprecation;
  /** Words to find it by, besides those of its id. */
  tags?: readonly string[];
  /** Earlier shapes of calls, which are adapted or rejected with an explanation. */
  earlier?: readonly EarlierShape[];
  /** Text arguments that the audit log stores verbatim, besides paths; other texts are logged by length. */
  logged?: readonly string[];
  examples: readonly z.input<I>[];
  needs: readonly N[];
  /** True if the tool is available in plan mode. */
  inPlan: boolean;
  /** False if the tool has a use in plan mode only, and is not offered outside of it. */
  inAct?: false;
  /**
   * What the app's own model is offered under this name instead; absent: the same. `hidden`: nothing, because another tool
   * answers calls by this name.
   */
  forModel?: ModelFace | 'hidden';
  /**
   * `model`: offered to the app's own model only. The contract of other clients is closed. `window`: also to other clients, while
   * the app has the same game open.
   */
  audience?: 'model' | 'window';
  /** Names of tools whose choices in the settings and rules in the policy file hold for this one, too. */
  governedBy?: readonly string[];
  /** Names that stand for several tools, whose *ask* and *never* in the settings and the policy file hold for this one. */
  groups?: readonly string[];
  /** Returns what another program declares; an *allow* of the user holds for exactly that. `claims`: what it says of itself. */
  declaration?(): Promise<Declaration>;
  claims?: readonly Claim[];
  /** What another program says of its answers, and its examples; `examples` are the app's own. */
  said?: SaidOfAnswers;
  /** The provider whose role limits this tool, besides that of the caller. */
  role?: string;
  /** How calls of the app's own model are understood; set for every tool of its runner (`toModelTools`). */
  modelCalls?: ModelCalls;
  /** Pictures in the answer, which the model receives beside it. */
  pictures?(output: unknown): readonly Picture[];
  /** Pictures and sounds in the answer, which the user sees below the call and can put into the game. */
  assets?(output: unknown): readonly Asset[];
  /** Default: `other`. */
  inChat?: CallDisplay;
  /** Returns one sentence for the user about this call. */
  summarize(input: z.output<I>): LocalText;
  /** Project paths of the call, for the policy, the audit log and links. */
  paths(input: z.output<I>): string[];
  handler(input: z.output<I>, ports: Pick<ToolPorts, N>, context: ToolContext): Promise<z.input<O>>;
}

/** How calls of the app's own model are understood, beyond the schema. */
export interface ModelCalls {
  /** Arguments that are understood but not offered. */
  unlisted?: readonly string[];
  /** Other names of arguments, which models know from other agents: theirs → this tool's. */
  aliases?: Readonly<Record<string, string>>;
  /** Arguments that hold text of a file: lists of lines and texts with escaped line breaks are understood. */
  texts?: readonly string[];
}

/**
 * What the app's own model is offered under a tool's name, and how it is answered, where that differs from the published contract.
 * The capability, permissions, risk and policy of the tool stay. `summarize`, `paths` and `examples` are those of the tool unless the
 * face has its own, so its arguments must include what they read. `approval` is not inherited: it decides what a call may do.
 */
export interface ModelFace<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  N extends keyof ToolPorts = keyof ToolPorts,
> extends Pick<Tool<I, O, N>, 'description' | 'input' | 'output' | 'needs' | 'handler'>,
    Partial<Pick<Tool<I, O, N>, 'approval' | 'earlier' | 'examples' | 'logged' | 'paths' | 'summarize'>>,
    ModelCalls {}

/** Types a declaration so that the handler receives only the ports in `needs`. */
export function defineTool<I extends z.ZodType, O extends z.ZodType, const N extends keyof ToolPorts>(
  tool: Tool<I, O, N>,
): Tool<I, O, N> {
  return tool;
}
