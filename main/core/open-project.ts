import type { Emit } from '../../shared/contract.ts';
import type { Project } from '../../shared/model/project.ts';
import type { Locale } from '../../shared/model/text.ts';
import { createChat } from './agent/chat.ts';
import { createPracticeModel } from './agent/practice-model.ts';
import type { Buffers, Chat, History, ProposalDesk, Stage } from './areas.ts';
import { createAudit } from './capability/audit.ts';
import type { Tool } from './capability/define-tool.ts';
import { createToolRunner } from './capability/run-tool.ts';
import { createHistory } from './history/history.ts';
import type { Ports, Workspace } from './ports.ts';
import { createBuffers } from './project/buffers.ts';
import { createScriptDesk, type ScriptDesk } from './project/script-desk.ts';
import { createProposalDesk } from './proposal/proposal-desk.ts';
import { createStage } from './stage/stage.ts';

/** The areas of one open game. */
export interface OpenProject {
  project: Project;
  buffers: Buffers;
  scripts: ScriptDesk;
  desk: ProposalDesk;
  stage: Stage;
  chat: Chat;
  history: History;
  /** Stops what runs, in the opposite order of its making, and lets go of the folder. */
  dispose(): Promise<void>;
}

export interface OpenProjectOptions {
  workspace: Workspace;
  ports: Ports;
  tools: readonly Tool[];
  emit: Emit;
  locale: () => Locale;
  onFault: (fault: { where: string; error: unknown }) => void;
}

/** What this host lets the assistant do: its writes wait in a proposal, and it has no commands and no browser. */
const POLICY = { writes: 'drafted', developerMode: false, closedFolders: [] } as const;

/** Brings an open folder to life: each area is made from those before it, in the order of `areas.ts`. */
export async function openProject(options: OpenProjectOptions): Promise<OpenProject> {
  const { workspace, ports, emit, locale, onFault } = options;
  const { reader, writer, snapshots, project } = workspace;
  const { clock } = ports;
  const buffers = createBuffers();
  const scripts = createScriptDesk({ workspace, buffers, clock, emit, locale });
  const { engineVersion } = project;
  const desk = createProposalDesk({ reader, writer, emit, clock, locale, engineVersion });
  const stage = createStage({ link: workspace.stage, reader, buffers, desk, emit, locale });
  const tools = createToolRunner({
    tools: options.tools,
    ports: { reader: desk.reader, writer: desk.writer, snapshots, matcher: ports.matcher, stage, clock },
    audit: createAudit(workspace.audit),
    policy: () => ({ project: POLICY, settings: { tools: {} } }),
    locale,
    engineVersion,
    clock,
    onFault: ({ tool, error }) => onFault({ where: `tool ${tool}`, error }),
  });
  const chat = await createChat({
    sessions: workspace.sessions,
    desk,
    tools,
    models: ports.models,
    clock,
    emit,
    locale,
    practice: (language) => createPracticeModel({ locale: language }),
    project,
  });
  const history = createHistory({ snapshots, reader, writer, clock, emit });
  const unwatch = workspace.watch((paths) => {
    stage.filesChanged(paths);
    desk.recheck(paths).catch((error: unknown) => onFault({ where: 'recheck of the proposal', error }));
    emit('project.filesChanged', { paths });
  });

  return {
    project,
    buffers,
    scripts,
    desk,
    stage,
    chat,
    history,
    async dispose() {
      unwatch();
      try {
        await chat.dispose();
      } finally {
        stage.dispose();
        await workspace.close();
      }
    },
  };
}
