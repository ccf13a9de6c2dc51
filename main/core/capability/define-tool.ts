import type { z } from 'zod';
import type { Permission } from '../../../shared/model/capability.ts';
import type { LocalText } from '../../../shared/model/text.ts';
import type { Clock, Commands, GameEngine, LocalBrowser, Matcher, Reader, Snapshots } from '../ports.ts';
import type { PlannedText } from './to-change-summary.ts';

export type { Permission };

/** A text a tool wants at `path`, null for none; `base` is the version it was made from (null: the file must not exist). */
export interface ToolChange {
  path: string;
  text: string | null;
  base: string | null;
  idempotencyKey?: string;
  /**
   * What the caller asked for, before it was joined with the text that was there. A dry run and the write after it, and
   * two calls with one idempotency key, are the same when this is. Left out by tools that have no dry run.
   */
  asked?: string;
}

/** `applied` is true only when the text is on disk; `drafted` when it waits in the proposal. */
export interface ToolWritten {
  applied: boolean;
  drafted: boolean;
  /** The idempotency key was seen before with the same request: nothing was done this time. */
  repeated?: boolean;
  /** What is on the disk now, where it was written there; null: no file. */
  version?: string | null;
  snapshotId?: string;
  bytesWritten?: number;
}

/** Where a tool's writes go: into the proposal in the app, to the disk over MCP. The tool cannot tell and need not. */
export interface ToolWriter {
  /** Notes a dry run, where a write needs one first. Changes nothing. */
  rehearse?(change: ToolChange): Promise<void>;
  write(change: ToolChange): Promise<ToolWritten>;
  /** All of the changes or none, each to another file; answered in their order. */
  writeAll(changes: readonly ToolChange[]): Promise<ToolWritten[]>;
}

/** Shows a scene on the stage, through the same texts the tool's reader sees. */
export interface ToolStage {
  preview(
    scenePath: string | undefined,
    signal: AbortSignal,
  ): Promise<{ url: string; logs: string[]; firstErrorLine?: number }>;
}

/** What is so in this host, for whoever asks where he is. Holds no secret. */
export interface ToolRuntime {
  /** The project's folder: absolute where the caller named it, its bare name where a page or a model service would read it. */
  projectRoot: string;
  server: { name: string; version: string };
  /** Names and versions of the tools that are really offered here. */
  tools(): { name: string; version: string }[];
  /** Whether commands and a browser are on offer. */
  developerMode(): boolean;
  /** Folders the project itself puts off limits. */
  closedFolders(): readonly string[];
  /** What the project's rules leave of scripts (by name) and of reading (bytes); left out where there are no such rules. */
  leaves?(): { allowedCommands?: readonly string[] | undefined; maxReadBytes: number | null };
}

/** What a tool can be handed. It gets those it `needs` and nothing else, by type and at run time. */
export interface ToolPorts {
  reader: Reader;
  writer: ToolWriter;
  snapshots: Snapshots;
  matcher: Matcher;
  stage: ToolStage;
  clock: Clock;
  runtime: ToolRuntime;
  commands: Commands;
  browser: LocalBrowser;
}

export interface ToolContext {
  signal: AbortSignal;
  locale: 'zh-CN' | 'en';
  /**
   * Project path → the version of it the caller was last shown. Whoever replaces a whole file must have seen what it
   * replaces: a text written from memory would silently take back what the writer changed meanwhile.
   */
  seen: Map<string, string>;
  /** Reads which engine the game runs on; undefined: the one that comes with the app. */
  engine?: (() => Promise<GameEngine>) | undefined;
  /** What the tool's `detail` gave for this very call and nobody objected to; what is run may be nothing else. */
  detail?: string;
}

export interface Risk {
  level: 'low' | 'medium' | 'high';
  /** Whether what it does can be taken back. What cannot is asked about before it reaches the disk. */
  rollback: boolean;
  /** Whether a snapshot is taken before. A tool that declares none gets no writer; one that does must hand one back. */
  snapshot: boolean;
  /** `never`: runs silently. `review`: its effect is shown in a proposal. `always`: asked each time. */
  approval: 'never' | 'review' | 'always';
  /** `full`: the line is on the disk before the caller hears of the call. `summary`: with the next one that is. */
  audit: 'summary' | 'full';
}

/** A call as it was shaped before: by another name or an older major version. */
export interface EarlierShape {
  /** The name it went by, when that was another. */
  name?: string;
  major: number;
  /** Today's arguments out of that version's; null refuses the call by name. What it leaves in is parsed strictly. */
  adapt: ((input: Record<string, unknown>) => Record<string, unknown>) | null;
}

/** One tool, declared once; every list, schema, manifest and page about it is derived from this value. */
export interface Tool<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  N extends keyof ToolPorts = keyof ToolPorts,
> {
  /** Dotted, by noun: `project.file.write`. */
  capability: string;
  /** As models and MCP clients know it: `write_to_file`. The file is named after it. */
  name: string;
  version: string;
  type: 'context' | 'action' | 'event';
  title: LocalText;
  /** For the writer: one or two plain sentences on what it does, shown where she chooses what the assistant may do. */
  about: LocalText;
  /** For the model: what it does, its limits, when to use it. */
  description: string;
  input: I;
  output: O;
  permissions: readonly Permission[];
  /** What this very call needs, when that is less: a dry run writes nothing. */
  permissionsFor?(input: z.output<I>): readonly Permission[];
  /** What it leaves behind, in a sentence; `none` when that is nothing, whatever it is permitted. */
  sideEffects: string;
  risk: Risk;
  /** Calls per minute. */
  rateLimit: number;
  /** Milliseconds after which a call is ended with `E_TIMEOUT`. */
  timeout: number;
  /** Why it should not be used any more and what to use. Then it is offered to nobody new, and still runs. */
  deprecated?: string;
  /** Shapes of calls that are still understood, or refused with a word on what became of them. */
  earlier?: readonly EarlierShape[];
  /** Text arguments that the audit log may hold word for word, beside paths; every other text is logged by its length. */
  logged?: readonly string[];
  examples: readonly z.input<I>[];
  needs: readonly N[];
  /** Available while the assistant only plans. */
  inPlan: boolean;
  /** One sentence for the writer: what this call does. */
  summarize(input: z.output<I>): LocalText;
  /**
   * Word for word what a call would run, such as a script's body, for the one who is asked. A text that was not shown
   * in this session is asked about even when she allows the tool.
   */
  detail?(input: z.output<I>, ports: Pick<ToolPorts, N>): Promise<string>;
  /** What `detail` would have given when the game was opened; null when there was nothing to run then. */
  detailAtStart?(input: z.output<I>, ports: Pick<ToolPorts, N>): Promise<string | null>;
  /**
   * The texts a call would leave, for the one who is asked about it; empty when it would change none. Worked out only
   * when somebody is asked, and it decides nothing; whoever said yes said it to these texts and no others.
   */
  plan?(
    input: z.output<I>,
    ports: Pick<ToolPorts, N>,
    context: Pick<ToolContext, 'signal' | 'locale'>,
  ): Promise<readonly PlannedText[]>;
  /** The name of the script a call runs, for the game's rules. */
  command?(input: z.output<I>): string;
  /** Project paths the call is about, for the policy, the audit log and links. */
  paths(input: z.output<I>): string[];
  handler(input: z.output<I>, ports: Pick<ToolPorts, N>, context: ToolContext): Promise<z.input<O>>;
}

/** Types a declaration: the handler sees only the ports in `needs`. */
export function defineTool<I extends z.ZodType, O extends z.ZodType, const N extends keyof ToolPorts>(
  tool: Tool<I, O, N>,
): Tool<I, O, N> {
  return tool;
}
