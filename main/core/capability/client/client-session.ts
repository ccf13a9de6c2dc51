import { withAbort } from '../../../../shared/async.ts';
import type { Role } from '../../../../shared/model/capability/role.ts';
import type { Locale, LocalText } from '../../../../shared/model/local-text.ts';
import type { Clock } from '../../ports/host.ts';
import type { ApprovalStore } from '../../ports/stores/approval-store.ts';
import type { RemoteViewer } from '../../ports/viewer/viewer-door.ts';
import type { PolicyFile } from '../../ports/workspace.ts';
import type { Writer } from '../../ports/writer.ts';
import type { ToolOutcome, ToolRunner } from '../../services.ts';
import { createWaitingCalls, type WaitingCalls } from '../approvals/waiting-calls.ts';
import type { Audit } from '../audit/audit.ts';
import type { ToolSource } from '../catalog/capability-set.ts';
import { toView } from '../catalog/capability-view.ts';
import type { Tool, ToolPorts } from '../define-tool.ts';
import { toClientTools } from '../model-face.ts';
import { createPolicySource, type PolicySource, type PolicySourceOptions } from '../policy/policy-source.ts';
import type { Confirm } from '../runner/confirm.ts';
import { toLimitedReader } from '../runner/granted-ports.ts';
import { createToolRunner } from '../runner/run-tool.ts';
import type { ToolRunnerOptions } from '../runner/runner-options.ts';
import { toChangeSummary } from '../to-change-summary.ts';
import type { ToolRuntime } from '../tool-runtime.ts';
import { createArgumentCompletion } from './complete-argument.ts';
import { createDirectWriter } from './direct-writer.ts';
import { createHeldWrites, type HeldWrite } from './held-writes.ts';
import { createProjectResources, type ProjectResources, toApprovalUri } from './project-resources.ts';
import { type ToolListing, toToolListing } from './to-tool-listing.ts';

/** The tools and resources of one game, for one client without a page. */
export interface ClientSession {
  tools(): ToolListing[];
  /** Returns true once after other tools would be listed than `tools` returned last; false before the first list. */
  haveToolsChanged(): Promise<boolean>;
  complete: ReturnType<typeof createArgumentCompletion>;
  /** Calls a tool. Never rejects: a failure is an outcome. */
  call(call: {
    name: string;
    input: unknown;
    /** The version that the client was written for, or a range. */
    version?: string | undefined;
    signal: AbortSignal;
  }): Promise<ToolOutcome>;
  resources: ProjectResources;
}

interface ClientSessionOptions {
  /** The client's name, for the titles of its writes in the history. */
  name: string;
  /** Asks the client's user; absent if the client cannot ask. */
  confirm?: Confirm | undefined;
  /** True if the client makes a single call. */
  isOneCall?: boolean;
  /** All tools of this program. */
  tools: ToolSource;
  ports: Omit<ToolPorts, 'writer' | 'runtime' | 'skills' | 'helper' | 'viewer' | 'painter' | 'assets'> & {
    writer: Writer;
  };
  /** The window of the app, if it has the game open; read for each list and call. */
  viewer?: RemoteViewer;
  clock: Clock;
  audit: Audit;
  /** Where calls wait for the user that this client cannot ask; they are answered and carried out in the app. */
  approvalStore: Pick<ApprovalStore, 'read' | 'change' | 'maxBytes'>;
  policyFile: PolicyFile;
  settings: PolicySourceOptions['settings'];
  engine: NonNullable<ToolRunnerOptions['engine']>;
  projectRoot: string;
  server: ToolRuntime['server'];
  locale: Locale;
  /** True if writes are applied without confirmation. */
  allowsWriting: boolean;
  developerMode: boolean;
  onFault: (fault: { where: string; error: unknown }) => void;
}

/** Creates the session of one client: its policy, its direct writer and its tool runner. */
export async function createClientSession(options: ClientSessionOptions): Promise<ClientSession> {
  const { ports, clock, confirm, locale, onFault } = options;
  const tools = toView(options.tools, toClientTools);
  const trace = clock.id();
  const held = createHeldWrites({ ...ports, engine: options.engine, canAsk: confirm !== undefined });
  const writer = createDirectWriter({
    writer: held.writer,
    isOneCall: options.isOneCall === true,
    label: (paths) => ({ group: `mcp_${clock.id()}`, title: `${options.name}: ${paths.join(', ')}`.slice(0, 200) }),
  });
  const policy = await createPolicySource({
    policyFile: options.policyFile,
    tools: options.tools,
    settings: options.settings,
    host: () => ({
      writes: options.allowsWriting ? 'allowed' : confirm ? 'ask' : 'refused',
      developerMode: options.developerMode,
      developerCalls: confirm ? 'ask' : 'allowed',
    }),
    onProjectPolicy: ({ broken }) => {
      if (broken) onFault({ where: broken.file, error: broken.problem });
    },
  });
  const listOffered = () => {
    const offered = new Set(runner.list('act').map((tool) => tool.name));
    return tools.current().filter((tool) => offered.has(tool.name));
  };
  const runtime: ToolRuntime = {
    projectRoot: options.projectRoot,
    server: options.server,
    tools: listOffered,
    developerMode: () => policy.current().project.developerMode,
    closedFolders: () => policy.current().project.closedFolders,
    leaves() {
      const { project, maxReadBytes } = policy.current();
      return { allowedCommands: project.allowedCommands, maxReadBytes };
    },
  };
  const waiting = openWaitingCalls(options);
  const runner = createToolRunner({
    tools,
    ports: withViewer({ ...ports, writer, runtime }, options.viewer),
    audit: options.audit,
    caller: () => ({ type: 'client', id: options.name, role: policy.current().roles.mcp ?? toStartedRole(options) }),
    policy: policy.current,
    refresh: policy.refresh,
    ...(confirm ? { confirm } : { postponeRefused: waiting.postpone }),
    isStrict: true,
    locale: () => locale,
    engine: options.engine,
    clock,
    onFault: ({ tool, error }) => onFault({ where: `tool ${tool}`, error }),
  });
  return {
    ...createToolList({ runner, policy, list: listOffered, locale }),
    complete: createArgumentCompletion({
      async reader() {
        await policy.refresh();
        const { project, maxReadBytes } = policy.current();
        if (project.broken) return null;
        return toLimitedReader(ports.reader, { closedFolders: project.closedFolders, maxReadBytes });
      },
      snapshots: ports.snapshots,
      waiting,
      engine: options.engine,
    }),
    async call({ version, ...call }) {
      const start = (more: { confirm?: Confirm } = {}) =>
        runner.run({ ...call, ...more, id: clock.id(), mode: 'act', trace, ...(version !== undefined && { version }) });
      const outcome = await start();
      const write = outcome.error?.reason === 'write.blocked' ? held.take(outcome.error.details) : null;
      if (!write || !confirm) return outcome;
      if (!(await askForHeld(write, { ...call, confirm, ...runner.describe(call.name, call.input) }))) return outcome;
      // Asked and answered, for exactly these texts: the writer refuses any others.
      const revoke = held.approve(write);
      return start({ confirm: async () => true }).finally(revoke);
    },
    resources: createProjectResources({ runner, waiting, locale: () => locale, id: clock.id }),
  };
}

interface ToolListOptions {
  runner: Pick<ToolRunner, 'renew'>;
  policy: Pick<PolicySource, 'refresh'>;
  list: () => Tool[];
  locale: Locale;
}

/** Lists the tools that are offered, and compares them with those that were listed last. */
function createToolList({
  runner,
  policy,
  list,
  locale,
}: ToolListOptions): Pick<ClientSession, 'tools' | 'haveToolsChanged'> {
  const toKey = (): string => {
    runner.renew?.();
    return list()
      .map(({ name, version }) => `${name} ${version}`)
      .join();
  };
  let told: string | undefined;
  return {
    tools() {
      told = toKey();
      return list().map((tool) => toToolListing(tool, locale));
    },
    async haveToolsChanged() {
      if (told === undefined) return false;
      await policy.refresh();
      const before = told;
      told = toKey();
      return told !== before;
    },
  };
}

/** Asks the client's user about a write that was refused. Anything but a yes is no. */
async function askForHeld(
  { texts, issues }: HeldWrite,
  call: { name: string; summary: LocalText; paths: string[]; confirm: Confirm; signal: AbortSignal },
): Promise<boolean> {
  const { name: tool, summary, paths, confirm, signal } = call;
  const scope = { tool, paths, why: 'write', canAlways: false, questions: 1 } as const;
  const question = { tool, title: summary, summary, scope, change: toChangeSummary(texts), issues, signal };
  return withAbort(confirm(question), signal).catch(() => false);
}

/** The calls of this client that wait for the user, which it reads as resources. */
function openWaitingCalls({ approvalStore: store, clock, name }: ClientSessionOptions): WaitingCalls {
  return createWaitingCalls({
    ...{ store, clock, from: 'mcp', only: { id: name }, onChange: () => undefined },
    toOutcome: (id) => `read the resource ${toApprovalUri(id)}`,
  });
}

/** Returns the role of a client whose user gave none: what its program was started with, or where each change is asked about. */
function toStartedRole({ developerMode, allowsWriting, confirm }: ClientSessionOptions): Role {
  if (developerMode) return 'owner';
  return allowsWriting || confirm ? 'editor' : 'viewer';
}

/** Adds the window as a port that comes and goes with the app. */
function withViewer<T extends object>(ports: T, viewer: RemoteViewer | undefined): T {
  return Object.defineProperty(ports, 'viewer', {
    get: () => (viewer?.isThere() ? viewer : undefined),
    enumerable: true,
  });
}
