import type { Emit } from '../../shared/contract.ts';
import type { Locale } from '../../shared/model/local-text.ts';
import type { Project } from '../../shared/model/project.ts';
import { createActionQueue } from './action-queue.ts';
import { createChat } from './agent/chat.ts';
import type { ChatPorts } from './agent/chat-ports.ts';
import { withDiskNotices } from './agent/disk/notice-disk.ts';
import { createStoryHelper } from './agent/helper/story-helper.ts';
import type { TurnLimits } from './agent/loop/turn-guards.ts';
import { createPracticeModel } from './agent/practice/practice-model.ts';
import { type AssetService, createAssetService } from './assets/asset-service.ts';
import { type ApiSession, createApiSession, createReviewWriter } from './capability/api/api-session.ts';
import { createAudit } from './capability/audit/audit.ts';
import { auditDecisions } from './capability/audit/audit-decisions.ts';
import { type AuditService, createAuditService } from './capability/audit/audit-service.ts';
import { withAuditNotices } from './capability/audit/with-audit-notices.ts';
import type { CapabilitySet } from './capability/catalog/capability-set.ts';
import { toView } from './capability/catalog/capability-view.ts';
import type { ToolPlaytest } from './capability/define-tool.ts';
import { toModelTools } from './capability/model-face.ts';
import { POLICY_FILE, type ProjectPolicy } from './capability/policy/policy-file.ts';
import { createPolicySource, type PolicySource } from './capability/policy/policy-source.ts';
import { requireOpen } from './capability/policy/writable-path.ts';
import { toLimitedReader } from './capability/runner/granted-ports.ts';
import { createToolRunner } from './capability/runner/run-tool.ts';
import type { ToolRunnerOptions } from './capability/runner/runner-options.ts';
import { createRuntime } from './capability/runtime-facts.ts';
import { createToolService, type ToolService } from './capability/tool-service.ts';
import { type CheckpointService, createCheckpoints } from './checkpoints/checkpoints.ts';
import { followDisk, reportUnsaved } from './follow-changes.ts';
import { createGitService, type GitService } from './git/git-service.ts';
import { createHistory } from './history/history.ts';
import { createTransactionService, type TransactionService } from './history/transaction-service.ts';
import { createGuardedWriter } from './patch/guard-writer.ts';
import { createPlanPorts } from './patch/plan-ports.ts';
import {
  createPlaytestService,
  type PlaytestService,
  type PlaytestServiceOptions,
} from './playtest/service/playtest-service.ts';
import { toSingleRun } from './playtest/service/single-run.ts';
import { withStageChoice } from './playtest/service/stage-choice.ts';
import type { Ports } from './ports/ports.ts';
import type { Reader } from './ports/reader.ts';
import type { Pictures } from './ports/stores/pictures.ts';
import { createBriefingReader } from './project/briefing/read-briefing.ts';
import { createScriptService, type ScriptService } from './project/script-service.ts';
import { openBuffers } from './project/unsaved/open-buffers.ts';
import { createProposalService } from './proposal/proposal-service.ts';
import type { Buffers, Chat, History, ProposalService, Stage } from './services.ts';
import type { SettingsService } from './settings/settings-service.ts';
import { createSkills } from './skills/skills.ts';
import type { Spending } from './spending/spending.ts';
import { openStages } from './stage/beside/open-stages.ts';
import type { StageBeside } from './stage/beside/stage-beside.ts';
import type { StageChoiceOptions } from './stage/stage-choices.ts';
import { openViewerDoor } from './viewer/open-viewer-door.ts';
import { createViewerService, type ViewerService } from './viewer/viewer-service.ts';

/** The services of one open game. */
export interface OpenProject {
  project: Project;
  buffers: Buffers;
  scripts: ScriptService;
  proposals: ProposalService;
  stage: Stage;
  beside: StageBeside;
  viewer: ViewerService;
  chat: Chat;
  pictures: Pictures;
  assets: AssetService;
  history: History;
  checkpoints: CheckpointService;
  transactions: TransactionService;
  git: GitService;
  playtest: PlaytestService;
  tools: ToolService;
  /** The calls in this game, and among them what the user changed in the app. */
  audit: AuditService;
  /** Calls of other programs, which obey the game's rules. */
  outside: ApiSession;
  closedFolders(): readonly string[];
  /** Stops the services in reverse order of creation and closes the workspace. */
  dispose(): Promise<void>;
}

export interface OpenProjectOptions extends StageChoiceOptions {
  ports: Ports;
  /** All tools: the app's own, and those of other programs, which come and go. */
  capabilities: CapabilitySet;
  /** Limits of turns instead of the standard ones. */
  limits: Partial<TurnLimits>;
  emit: Emit;
  /** Stores a tool permission in the user's settings. */
  chooseTool: SettingsService['chooseTool'];
  notePicturesRefused: ChatPorts['notePicturesRefused'];
  spending: Spending;
  locale: () => Locale;
  onFault: (fault: { where: string; error: unknown }) => void;
}

/** Creates the services of a game in dependency order, which is the order of `services.ts`. */
export async function openProject(options: OpenProjectOptions): Promise<OpenProject> {
  const { workspace, ports, emit, locale, onFault } = options;
  const { reader, snapshots, assets, project, commands, browser } = workspace;
  const { clock } = ports;
  const { buffers, bases, stopKeeping } = await openBuffers(workspace.unsavedFile, onFault);
  buffers.on(reportUnsaved(buffers, emit));
  const engine = { engineVersion: project.engineVersion, engine: project.engine ?? null };
  const writer = createGuardedWriter(workspace.writer, { reader, engine: async () => engine });
  const proposals = createProposalService({
    ...{ reader, writer, emit, clock, locale, engine },
    closedFolders: () => policy.current().project.closedFolders,
    reviewFile: workspace.reviewFile,
  });
  const actions = createActionQueue();
  const scripts = createScriptService({ workspace, buffers, bases, proposals, actions, clock, emit, locale });
  const { stage, beside } = openStages(options, { reader, buffers, proposals, emit, locale });
  const viewer = createViewerService({ emit, clock });
  const { playtest, playing } = openPlaytests({ ...options, buffers, proposals, engine, clock, writer });
  const policy = await createPolicySource({
    policyFile: workspace.policyFile,
    tools: options.capabilities,
    settings: () => ports.settings.read(),
    // On hosts with a page every write is drafted into a proposal.
    host: ({ developerMode }) => ({ writes: 'drafted', developerMode }),
    onProjectPolicy: (policy) => reportPolicy(policy, emit),
  });
  const own = toView(options.capabilities, toModelTools);
  const runtime = createRuntime({
    folder: project.folder,
    version: ports.version,
    policy,
    offered() {
      const names = new Set(tools.list('act').map(({ name }) => name));
      return own.current().filter(({ name }) => names.has(name));
    },
  });
  const skills = createSkills(workspace.skillFiles);
  const toolPorts = {
    ...{ reader: proposals.reader, writer: proposals.writer, snapshots, assets, matcher: ports.matcher },
    ...{ stage, viewer, painter: viewer, clock, runtime, commands, browser, skills, playtest: playing },
    helper: createStoryHelper({
      ...{ models: ports.models, tools: () => tools, clock },
      ...{ spending: options.spending, readCaps: toCaps(ports) },
    }),
  };
  const audit = withAuditNotices(createAudit(workspace.audit), emit);
  const common = {
    ...{ audit, locale, clock, engine: async () => engine },
    onFault: ({ tool, error }: { tool: string; error: unknown }) => onFault({ where: `tool ${tool}`, error }),
  };
  const tools = createToolRunner({ ...common, ...toRules(policy), tools: own, ports: toolPorts, canAsk: true });
  const chat = await createChat({
    ...{ proposals, actions, tools, clock, emit, locale, disk: reader, transactions: workspace.transactions },
    plans: createPlanPorts({
      ...{ ports, workspace, drafts: proposals.reader, tools: own.current(), policy, buffers, engine, writer },
    }),
    sessions: workspace.sessions,
    pictures: workspace.pictures,
    mentionSource: async () => ({ reader: await toMentionReader(proposals.reader, policy), engine }),
    models: ports.models,
    practice: (language) => createPracticeModel({ locale: language }),
    // Read from disk, not from the drafts: text that the user has not accepted must not become instructions.
    skills,
    readBriefing: createBriefingReader({ title: project.title, reader, locale, skills }),
    spending: options.spending,
    readCaps: toCaps(ports),
    allowAlways: (tool, declaration) => options.chooseTool(tool, 'allow', declaration),
    notePicturesRefused: options.notePicturesRefused,
    limits: options.limits,
  });
  // The game opens without it; the stored change stays for the next start.
  await proposals.restoreOwn().catch((error: unknown) => onFault({ where: 'review of the last start', error }));
  const toolService = createToolService(options.capabilities, { ports: toolPorts, policy, runner: tools });
  const restoring = { reader, writer, clock, emit: withDiskNotices(emit, chat, onFault) };
  const history = createHistory({ snapshots, ...restoring });
  const checkpoints = createCheckpoints({
    ...{ ...workspace, ...restoring, noteMedia: chat.noteMedia, onFault },
    readSettings: () => ports.settings.read(),
  });
  const outside = createApiSession({
    ...{ ...common, policy, capabilities: options.capabilities },
    ports: { ...toolPorts, reader, writer: createReviewWriter(proposals, reader) },
    ...{ approvalStore: workspace.approvals, onApprovals: () => emit('approvals.changed', {}), onError: onFault },
  });
  const transactions = createTransactionService({ ...workspace, clock, emit: restoring.emit });
  const git = createGitService({ ...workspace, history, emit: restoring.emit, onFault });
  const unwatch = followDisk(workspace, { stage, beside, proposals, git, playtest }, { emit, onFault });
  const door = openViewerDoor(workspace.viewerDoor, { tools, clock, onFault });
  const parts = { unwatch, door, checkpoints, chat, stage, beside, viewer, git, playtest, outside, workspace };

  return {
    ...{ project, buffers, scripts, proposals, stage, beside, viewer, playtest },
    ...auditDecisions({ chat, history, checkpoints, transactions, git }, { audit, clock, onFault }),
    pictures: withClosedFolders(workspace.pictures, { reader: proposals.reader, policy }),
    assets: createAssetService({ assets, reader, proposals, actions, buffers, engine, painter: viewer }),
    ...{ outside, tools: toolService, audit: createAuditService([workspace.audit, ports.auditLog]) },
    closedFolders: () => policy.current().project.closedFolders,
    dispose: () => closeProject({ ...parts, stopKeeping }),
  };
}

/** Creates the user's playtests, and those of the assistant, which play its drafts: one at a time of both. */
function openPlaytests({
  workspace,
  ports: { settings },
  ...options
}: Omit<PlaytestServiceOptions, 'ports' | 'reader'> & Pick<OpenProjectOptions, 'workspace' | 'ports'>): {
  playtest: PlaytestService;
  playing: ToolPlaytest;
} {
  const readChoice = async () => (await settings.read()).stageEngines[workspace.project.id] ?? null;
  const ports = toSingleRun(withStageChoice(workspace.playtest, readChoice));
  return {
    playtest: createPlaytestService({ ...options, ports, reader: workspace.reader }),
    playing: { engine: ports, texts: options.proposals.texts },
  };
}

async function closeProject(
  open: Pick<OpenProject, 'checkpoints' | 'chat' | 'stage' | 'beside' | 'viewer' | 'git' | 'playtest' | 'outside'> &
    Record<'door' | 'workspace', { close(): Promise<void> }> & { unwatch(): void; stopKeeping(): void },
): Promise<void> {
  open.unwatch();
  open.stopKeeping();
  open.outside.dispose();
  open.git.dispose();
  try {
    await Promise.all([open.door.close(), open.checkpoints.dispose(), open.chat.dispose(), open.playtest.dispose()]);
  } finally {
    await open.beside.dispose();
    open.stage.dispose();
    open.viewer.dispose();
    await open.workspace.close();
  }
}

/** What decides about the calls of the assistant. */
function toRules(policy: PolicySource): Pick<ToolRunnerOptions, 'caller' | 'policy' | 'refresh'> {
  return {
    caller: () => ({ type: 'model', id: 'assistant', role: policy.current().roles.assistant }),
    policy: policy.current,
    refresh: policy.refresh,
  };
}

function toCaps({ settings }: Ports): ChatPorts['readCaps'] {
  return async () => {
    const { turnCap, dayCap } = await settings.read();
    return { turn: turnCap, day: dayCap };
  };
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
