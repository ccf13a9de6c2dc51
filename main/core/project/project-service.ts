import { createSerialQueue } from '../../../shared/async.ts';
import type { Output } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import type { OpenResult, Project } from '../../../shared/model/project.ts';
import { type OpenProject, type OpenProjectOptions, openProject } from '../open-project.ts';
import type { Located } from '../ports/workspace.ts';
import type { OpenWork } from '../updates/find-obstacle.ts';
import { toNewGame } from './new-game.ts';

/** Opens and closes games. At most one game is open at a time. */
export interface ProjectService {
  /** Returns the open game's description; null while none is open. */
  current(): Project | null;
  /** Returns the open game's services; null while none is open. */
  peek(): OpenProject | null;
  /** Returns the open game's services. Throws `E_NOT_FOUND` with reason `project.noneOpen`. */
  opened(): OpenProject;
  open(id: string): Promise<OpenResult>;
  pick(): Promise<Output<'project.pick'>>;
  create(id: string): Promise<OpenResult>;
  openSample(options: { fresh: boolean }): Promise<OpenResult>;
  close(): Promise<void>;
  /** Returns the work that an update would interrupt or lose; null while no game is open. */
  openWork(): OpenWork | null;
  /** Removes a game from the recent games; keeps its files. */
  forgetRecent(id: string): Promise<void>;
}

type ProjectServicePorts = Omit<OpenProjectOptions, 'workspace'>;
type Projects = ProjectServicePorts['ports']['projects'];

export function createProjectService(servicePorts: ProjectServicePorts): ProjectService {
  const { ports, emit } = servicePorts;
  let opened: { services: OpenProject; folder: string } | null = null;
  /** Opening and closing, which several pages may request. */
  const queue = createSerialQueue();

  /** Sends conversation and proposal with the project, because pages ignore events for a session they do not show. */
  const announce = (): void => {
    const services = opened?.services;
    emit('project.changed', { project: services?.project ?? null });
    emit('chat.changed', { chat: services?.chat.state() ?? null });
    emit('proposal.changed', { proposal: services?.proposals.current() ?? null });
  };

  const closeNow = async (): Promise<void> => {
    const closing = opened;
    opened = null;
    await closing?.services.dispose();
  };

  const openFolder = async (folder: string): Promise<OpenResult> => {
    const located = await locate(ports.projects, folder);
    if (located.status === 'choose') return toChoice(ports.projects, located.games);
    if (opened?.folder === located.folder) return { status: 'opened', project: opened.services.project };
    const workspace = await ports.projects.open(located.folder);
    try {
      await closeNow();
      opened = { services: await openProject({ ...servicePorts, workspace }), folder: located.folder };
      return { status: 'opened', project: workspace.project };
    } catch (error) {
      await workspace.close();
      throw error;
    } finally {
      announce();
    }
  };

  return {
    current: () => opened?.services.project ?? null,
    peek: () => opened?.services ?? null,
    opened() {
      if (opened) return opened.services;
      throw new AppError('E_NOT_FOUND', 'No game is open.', { reason: 'project.noneOpen', hint: 'Open a game first.' });
    },
    openWork() {
      if (!opened) return null;
      const { buffers, chat, proposals } = opened.services;
      const hasProposal = proposals.current() !== null;
      return { unsavedTexts: buffers.all().size, chat: chat.state()?.phase ?? null, hasProposal };
    },
    open: (id) => queue.run(async () => openFolder(await ports.projects.resolve(id))),
    async pick() {
      const { pickFolder } = ports.host;
      if (!pickFolder) {
        throw new AppError('E_UNSUPPORTED', 'There is no folder dialog here.', { reason: 'project.noDialog' });
      }
      const folder = await pickFolder();
      return folder === null ? { status: 'cancelled' } : queue.run(() => openFolder(folder));
    },
    create: (id) =>
      queue.run(async () => {
        const folder = await ports.projects.resolve(id);
        await createWhereNone(servicePorts, folder);
        return openFolder(folder);
      }),
    openSample: (options) => queue.run(async () => openFolder(await ports.projects.sample(options))),
    close: () =>
      queue.run(async () => {
        if (!opened) return;
        await closeNow();
        announce();
      }),
    async forgetRecent(id) {
      await ports.projects.forgetRecent(id);
      emit('project.recentsChanged', {});
    },
  };
}

/** Finds the game in a folder. The error for an empty folder has its id, so that a game can be created there. */
async function locate(projects: Projects, folder: string): Promise<Located> {
  try {
    return await projects.locate(folder);
  } catch (error) {
    const isEmpty =
      error instanceof AppError && error.reason === 'project.noGame' && (await projects.emptyName(folder)) !== null;
    if (!isEmpty) throw error;
    const { code, message, hint = '', reason = '' } = error;
    const details = { ...error.details, emptyFolder: projects.identify(folder) };
    throw new AppError(code, message, { details, hint, reason, cause: error });
  }
}

function toChoice(projects: Projects, games: readonly { folder: string; name: string }[]): OpenResult {
  return {
    status: 'choose',
    games: games.map(({ folder, name }) => ({ id: projects.identify(folder), name, isGame: true })),
  };
}

/** Creates a game in a folder without one. Opening the folder reports all other errors. */
async function createWhereNone({ ports, locale }: ProjectServicePorts, folder: string): Promise<void> {
  const { projects, clock } = ports;
  const isGameless = await locate(projects, folder).then(() => false, isNoGame);
  if (!isGameless) return;
  const title = (await projects.emptyName(folder)) ?? '';
  await projects.create(folder, toNewGame({ title, key: clock.id(), locale: locale() }));
}

function isNoGame(error: unknown): error is AppError {
  return error instanceof AppError && error.reason === 'project.noGame';
}
