import type { Emit } from '../../shared/contract.ts';
import type { ToolChoice } from '../../shared/model/capability.ts';
import type { Locale } from '../../shared/model/local-text.ts';
import type { Project } from '../../shared/model/project.ts';
import { createActionQueue } from './action-queue.ts';
import { createChat } from './agent/chat.ts';
import type { ChatPorts } from './agent/chat-ports.ts';
import { createStoryHelper } from './agent/helper/story-helper.ts';
import type { TurnLimits } from './agent/loop/turn-guards.ts';
import { createPracticeModel } from './agent/practice/practice-model.ts';
import { createAudit } from './capability/audit/audit.ts';
import { type AuditService, createAuditService } from './capability/audit/audit-service.ts';
import { withAuditNotices } from './capability/audit/with-audit-notices.ts';
import type { Tool, ToolRuntime } from './capability/define-tool.ts';
import { toModelTools } from './capability/model-face.ts';
import { POLICY_FILE, type ProjectPolicy } from './capability/policy/policy-file.ts';
import { createPolicySource, type PolicySource } from './capability/policy/policy-source.ts';
import { requireOpen } from './capability/policy/writable-path.ts';
import { toLimitedReader } from './capability/runner/granted-ports.ts';
import { createToolRunner } from './capability/runner/run-tool.ts';
import { createToolService, type ToolService } from './capability/tool-service.ts';
import { createCheckpoints } from './checkpoints/checkpoints.ts';
import { createHistory } from './history/history.ts';
import { createTransactionService, type TransactionService } from './history/transaction-service.ts';
import { createGuardedWriter } from './patch/guard-writer.ts';
import { validatePlan } from './patch/validate-plan.ts';
import type { Ports } from './ports/ports.ts';
import type { Reader } from './ports/reader.ts';
import type { Pictures } from './ports/stores/pictures.ts';
import type { Workspace } from './ports/workspace.ts';
import { createBriefingReader } from './project/briefing/read-briefing.ts';
import { createBuffers } from './project/buffers.ts';
import { createScriptService, type ScriptService } from './project/script-service.ts';
import { createProposalService } from './proposal/proposal-service.ts';
import type { Buffers, Chat, CheckpointService, History, ProposalService, Stage } from './services.ts';
import { createSkills } from './skills/skills.ts';
import type { Spending } from './spending/spending.ts';
import { createStage } from './stage/stage.ts';

/** The services of one open game. */
export interface OpenProject {
  project: Project;
  buffers: Buffers;
  scripts: ScriptService;
  proposals: ProposalService;
  stage: Stage;
  chat: Chat;
  pictures: Pictures;
  history: History;
  checkpoints: CheckpointService;
  transactions: TransactionService;
  tools: ToolService;
  audit: AuditService;
  /** Stops the services in reverse order of creation and closes the workspace. */
  dispose(): Promise<void>;
}

export interface OpenProjectOptions {
  workspace: Workspace;
  ports: Ports;
  tools: readonly Tool[];
  /** Limits of turns instead of the standard ones. */
  limits: Partial<TurnLimits>;
  emit: Emit;
  /** Stores a tool permission in the user's settings. */
  chooseTool: (tool: string, choice: ToolChoice) => Promise<void>;
  spending: Spending;
  locale: () => Locale;
  onFault: (fault: { where: string; error: unknown }) => void;
}

/** Creates the services of a game in dependency order, which is the order of `services.ts`. */
export async function openProject(options: OpenProjectOptions): Promise<OpenProject> {
  const { workspace, ports, emit, locale, onFault } = options;
  const { reader, snapshots, project } = workspace;
  const { clock } = ports;
  const buffers = createBuffers();
  buffers.on(reportUnsaved(buffers, emit));
  const engine = { engineVersion: project.engineVersion, engine: project.engine ?? null };
  const writer = createGuardedWriter(workspace.writer, { reader, engine: async () => engine });
  const proposals = createProposalService({
    ...{ reader, writer, emit, clock, locale, engine },
    closedFolders: () => policy.current().project.closedFolders,
    reviewFile: workspace.reviewFile,
  });
  const actions = createActionQueue();
  const scripts = createScriptService({ workspace, buffers, proposals, actions, clock, emit, locale });
  const stage = createStage({ link: workspace.stage, reader, buffers, proposals, emit, locale });
  const policy = await createPolicySource({
    policyFile: workspace.policyFile,
    tools: options.tools,
    settings: () => ports.settings.read(),
    // On hosts with a page every write is drafted into a proposal.
    host: ({ developerMode }) => ({ writes: 'drafted', developerMode }),
    onProjectPolicy: (policy) => reportPolicy(policy, emit),
  });
  const modelTools = toModelTools(options.tools);
  const runtime = createRuntime({
    folder: project.folder,
    version: ports.version,
    policy,
    offered() {
      const names = new Set(tools.list('act').map(({ name }) => name));
      return modelTools.filter(({ name }) => names.has(name));
    },
  });
  const { commands, browser } = workspace;
  const skills = createSkills(workspace.skillFiles);
  const toCaps = () => readCaps(ports.settings);
  const toolPorts = {
    ...{ reader: proposals.reader, writer: proposals.writer, snapshots, matcher: ports.matcher },
    ...{ stage, clock, runtime, commands, browser, skills },
    helper: createStoryHelper({
      ...{ models: ports.models, tools: () => tools, clock },
      ...{ spending: options.spending, readCaps: toCaps },
    }),
  };
  const tools = createToolRunner({
    tools: modelTools,
    ports: toolPorts,
    audit: withAuditNotices(createAudit(workspace.audit), emit),
    policy: policy.current,
    refresh: policy.refresh,
    canAsk: true,
    locale,
    engine: async () => engine,
    clock,
    onFault: ({ tool, error }) => onFault({ where: `tool ${tool}`, error }),
  });
  const chat = await createChat({
    ...{ proposals, actions, tools, clock, emit, locale },
    validateSteps: (steps) => validatePlan(steps, { reader: proposals.reader, engine }),
    sessions: workspace.sessions,
    pictures: workspace.pictures,
    mentionSource: async () => ({ reader: await toMentionReader(proposals.reader, policy), engine }),
    models: ports.models,
    practice: (language) => createPracticeModel({ locale: language }),
    // Read from disk, not from the drafts: text that the user has not accepted must not become instructions.
    skills,
    readBriefing: createBriefingReader({ title: project.title, reader, locale, skills }),
    spending: options.spending,
    readCaps: toCaps,
    allowAlways: (tool) => options.chooseTool(tool, 'allow'),
    limits: options.limits,
  });
  // The game opens without it; the stored change stays for the next start.
  await proposals.restoreOwn().catch((error: unknown) => onFault({ where: 'review of the last start', error }));
  const toolService = createToolService(options.tools, { ports: toolPorts, policy });
  const history = createHistory({ snapshots, reader, writer, clock, emit });
  const checkpoints = createCheckpoints({
    ...{ checkpoints: workspace.checkpoints, reader, writer, pictures: workspace.pictures, clock, emit, onFault },
    readSettings: () => ports.settings.read(),
  });
  const unwatch = followDisk(workspace, { stage, proposals }, { emit, onFault });

  return {
    project,
    buffers,
    scripts,
    proposals,
    stage,
    chat,
    pictures: withClosedFolders(workspace.pictures, { reader: proposals.reader, policy }),
    history,
    checkpoints,
    transactions: createTransactionService({ ...workspace, clock, emit }),
    tools: toolService,
    audit: createAuditService(workspace.audit),
    dispose: () => closeProject({ unwatch, checkpoints, chat, stage, workspace }),
  };
}

async function closeProject(open: {
  unwatch: () => void;
  checkpoints: CheckpointService;
  chat: Chat;
  stage: Stage;
  workspace: Workspace;
}): Promise<void> {
  open.unwatch();
  try {
    await Promise.all([open.checkpoints.dispose(), open.chat.dispose()]);
  } finally {
    open.stage.dispose();
    await open.workspace.close();
  }
}

async function readCaps(settings: Ports['settings']): ReturnType<ChatPorts['readCaps']> {
  const { turnCap, dayCap } = await settings.read();
  return { turn: turnCap, day: dayCap };
}

/** Returns what mentions are read through: the drafts, within the limits that the game's rules set for every tool. */
async function toMentionReader(reader: Reader, policy: PolicySource): Promise<Reader> {
  await policy.refresh();
  const { project, maxReadBytes } = policy.current();
  return toLimitedReader(reader, { closedFolders: project.closedFolders, maxReadBytes });
}

/** Refuses pictures of the game from folders that its rules close, as for every file that is sent to a model. */
function withClosedFolders(pictures: Pictures, { reader, policy }: { reader: Reader; policy: PolicySource }): Pictures {
  return {
    ...pictures,
    async readAsset(path) {
      await policy.refresh();
      await requireOpen(path, policy.current().project.closedFolders, reader);
      return pictures.readAsset(path);
    },
  };
}

/** Facts of this host for `get_runtime_info`. */
function createRuntime({
  folder,
  version,
  policy,
  offered,
}: {
  folder: string;
  version: string;
  policy: PolicySource;
  offered: ToolRuntime['tools'];
}): ToolRuntime {
  return {
    // Tool results are sent to the model service: include the folder's name, not its path on the user's disk.
    projectRoot: folder,
    server: { name: 'webgal-agent', version },
    tools: offered,
    developerMode: () => policy.current().project.developerMode,
    closedFolders: () => policy.current().project.closedFolders,
    leaves() {
      const { project, maxReadBytes } = policy.current();
      return { allowedCommands: project.allowedCommands, maxReadBytes };
    },
  };
}

/** Reports a policy file that is invalid, or that tries to permit what only the user's settings can. */
function reportPolicy({ broken, ignored }: ProjectPolicy, emit: Emit): void {
  emit('tools.changed', {});
  if (broken) {
    const { file, line, key, reason } = broken;
    emit('app.noticed', { level: 'error', reason, details: { file, line: line ?? 1, key: key ?? '' } });
  } else if (ignored.length > 0) {
    emit('app.noticed', {
      level: 'warning',
      reason: 'rules.ignored',
      details: { file: POLICY_FILE, keys: ignored.join(', ') },
    });
  }
}

/** Passes changes on disk on until the returned function is called. Reports once if they are found late or not at all. */
function followDisk(
  workspace: Workspace,
  { stage, proposals }: Pick<OpenProject, 'stage' | 'proposals'>,
  { emit, onFault }: Pick<OpenProjectOptions, 'emit' | 'onFault'>,
): () => void {
  workspace.onLeftOut(() => emit('app.noticed', { level: 'warning', reason: 'watch.leftOut', details: {} }));
  workspace.onPolling(() => emit('app.noticed', { level: 'warning', reason: 'watch.polling', details: {} }));
  return workspace.watch((paths) => {
    stage.filesChanged(paths);
    proposals.recheck(paths).catch((error: unknown) => onFault({ where: 'recheck of the proposal', error }));
    emit('project.filesChanged', { paths });
  });
}

/** Emits the list of unsaved files when it changes, not at each keystroke. */
function reportUnsaved(buffers: Buffers, emit: Emit): () => void {
  let lastKey = '';
  return () => {
    const paths = [...buffers.all().keys()];
    const key = paths.join('\n');
    if (key === lastKey) return;
    lastKey = key;
    emit('script.unsavedChanged', { paths });
  };
}
