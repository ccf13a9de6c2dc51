import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { AppError } from '../../shared/errors.ts';
import type { FolderEntry, OpenResult, Project, ProjectFile, RecentProject } from '../../shared/model/project.ts';
import type { Locale } from '../../shared/model/text.ts';
import { api, onConnection } from '../api.ts';
import { notifyError } from '../ui/notify.ts';
import { applyFileNews, toFileList } from './file-list.ts';

type Game = typeof FolderEntry._output;

export interface ProjectState {
  /** False until the app has said whether a game is open. */
  isKnown: boolean;
  project: Project | null;
  /** Every file of the open game in the order in which they are shown; null while they are being listed. */
  files: readonly ProjectFile[] | null;
  /** See `FileList`; empty while they are being listed. */
  paths: ReadonlySet<string>;
  recents: RecentProject[];
  /** True where the system has a folder dialog; else the app's own chooser opens. */
  hasFolderDialog: boolean;
  version: string;
  /** True when the app was started in safe mode. */
  isSafeMode: boolean;
  /** What carries the app; null until it has said. */
  host: 'electron' | 'web' | null;
  /** The language of the system, as the app sees it; null until the app has said. */
  systemLocale: Locale | null;
  /** What is being opened, to show which button is busy. */
  opening: string | null;
  /** Why the last attempt to open failed. */
  openError: unknown;
  /** The games of a workspace, when there are several to choose from. */
  games: Game[] | null;
  /** True while the app's own folder chooser is open. */
  isBrowsing: boolean;
}

export const projectStore = createStore<ProjectState>(() => ({
  isKnown: false,
  project: null,
  files: null,
  paths: new Set(),
  recents: [],
  hasFolderDialog: false,
  version: '',
  isSafeMode: false,
  host: null,
  systemLocale: null,
  opening: null,
  openError: null,
  games: null,
  isBrowsing: false,
}));

const set = projectStore.setState;

export function useProject<T>(select: (state: ProjectState) => T): T {
  return useStore(projectStore, select);
}

/** Above so many changed paths all files are listed, as after a game was unpacked. */
const MANY_PATHS = 500;

let reading: Promise<void> = Promise.resolve();

/** Resolves once the files are as the last news had it. */
export function filesAreRead(): Promise<void> {
  return reading;
}

/** Reads the files anew, or what became of the ones at `changed`; one reading after the other. */
function readFiles(changed?: readonly string[]): Promise<void> {
  const read = async (): Promise<void> => {
    const { project, files, paths } = projectStore.getState();
    if (!project) return;
    const asked = files && changed && changed.length <= MANY_PATHS ? changed : null;
    const answer = await api.call('project.files', asked ? { paths: [...asked] } : {});
    if (projectStore.getState().project?.id !== project.id) return;
    set(asked && files ? applyFileNews({ files, paths }, asked, answer) : toFileList(answer));
  };
  const done = reading.then(read);
  reading = done.catch(() => undefined);
  return done;
}

/** Lists the games opened before, newest first. */
export async function readRecents(): Promise<void> {
  const { recents } = await api.call('project.recents', {});
  set({ recents });
}

function enter(project: Project | null): void {
  const isSame = projectStore.getState().project?.id === project?.id;
  set({
    project,
    isKnown: true,
    games: null,
    isBrowsing: false,
    openError: null,
    ...(isSame ? {} : { files: null, paths: new Set<string>() }),
  });
  if (project) void readFiles().catch((openError: unknown) => set({ openError }));
  else void readRecents().catch((openError: unknown) => set({ openError }));
}

let mayLeave: () => Promise<boolean> = async () => true;

/** Lets whoever holds words of hers say whether the game may be left; on `false` it stays open. */
export function guardLeaving(guard: () => Promise<boolean>): void {
  mayLeave = guard;
}

/** Runs one way of opening a game; its failure is said where she is. */
async function open(what: string, ask: () => Promise<OpenResult | { status: 'cancelled' }>): Promise<void> {
  if (projectStore.getState().project && !(await mayLeave())) return;
  set({ opening: what, openError: null, games: null });
  try {
    const result = await ask();
    if (result.status === 'opened') enter(result.project);
    if (result.status === 'choose') set({ games: result.games, isBrowsing: false });
  } catch (openError) {
    // With a game open there is no welcome page to say it on.
    if (projectStore.getState().project) notifyError(openError);
    else set({ openError });
  } finally {
    set({ opening: null });
  }
}

export const openProject = (id: string) => open(id, () => api.call('project.open', { id }));
export const createProject = (id: string) => open('create', () => api.call('project.create', { id }));
export const openSample = () => open('sample', () => api.call('project.openSample', {}));

/** Asks for a folder: with the system's dialog where there is one, else with the app's own chooser. */
export async function pickProject(): Promise<void> {
  if (projectStore.getState().hasFolderDialog) await open('pick', () => api.call('project.pick', {}));
  else set({ isBrowsing: true, openError: null });
}

export function stopBrowsing(): void {
  set({ isBrowsing: false });
}
export const startTour = () =>
  open('tour', async () => {
    await api.call('chat.startTour', {});
    const { project } = await api.call('project.current', {});
    return project ? { status: 'opened', project } : { status: 'cancelled' };
  });

/** True when a folder was opened that holds no game: the one failure where saying what would open helps. */
export function isNoGame(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'project.noGame';
}

/** The id of the empty folder that could not be opened: a game may begin there. Null for any other failure. */
export function emptyFolderOf(error: unknown): string | null {
  const folder = isNoGame(error) && error instanceof AppError ? error.details?.emptyFolder : null;
  return typeof folder === 'string' ? folder : null;
}

export function dismissGames(): void {
  set({ games: null });
}

export async function closeProject(): Promise<void> {
  if (!(await mayLeave())) return;
  await api.call('project.close', {});
}

/** Takes a game off the list of recent ones; the game itself stays where it is. */
export async function forgetRecent(id: string): Promise<void> {
  await api.call('project.forgetRecent', { id });
  await readRecents();
}

async function readAll(): Promise<void> {
  const [info, { project }] = await Promise.all([api.call('app.info', {}), api.call('project.current', {})]);
  const { hasFolderDialog, version, isSafeMode, host, systemLocale } = info;
  set({ hasFolderDialog, version, isSafeMode, host, systemLocale });
  enter(project);
}

/** Starts mirroring the app's project area; call once. */
export function connectProject(): void {
  api.on('project.changed', ({ project }) => enter(project));
  api.on('project.offered', ({ id }) => {
    if (projectStore.getState().project?.id !== id) void openProject(id);
  });
  api.on('project.filesChanged', ({ paths }) => {
    // A listing that fails now is repeated at the next change; the files shown stay as they were.
    void readFiles(paths).catch(() => undefined);
  });
  const start = () => void readAll().catch((openError: unknown) => set({ openError, isKnown: true }));
  onConnection((isConnected) => isConnected && start());
  start();
}
