import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { AppError } from '../../../shared/errors.ts';
import type { Locale } from '../../../shared/model/local-text.ts';
import type { FolderEntry, Project, ProjectFile, RecentProject } from '../../../shared/model/project.ts';
import { api, onConnection } from '../../api.ts';
import { applyFileNews, toFileList } from './file-list.ts';

type Game = typeof FolderEntry._output;

export interface ProjectState {
  /** False until the app has reported whether a game is open. */
  isKnown: boolean;
  project: Project | null;
  /** All files of the open game in display order; null while they are being listed. */
  files: readonly ProjectFile[] | null;
  /** See `FileList`; empty while they are being listed. */
  paths: ReadonlySet<string>;
  recents: RecentProject[];
  /** True if the host has a folder dialog; otherwise the app's own chooser opens. */
  hasFolderDialog: boolean;
  version: string;
  /** True when the app was started in safe mode. */
  isSafeMode: boolean;
  /** The host of the app; null until reported. */
  host: 'electron' | 'web' | null;
  /** The language of the system as detected by the app; null until reported. */
  systemLocale: Locale | null;
  /** The item being opened, to show its button as busy. */
  opening: string | null;
  /** The error of the last attempt to open. */
  openError: unknown;
  /** The games of a workspace, if there are several to choose from. */
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

/** Above this number of changed paths, for example after unpacking a game, all files are listed again. */
const MAX_CHANGED_PATHS = 500;

let reading: Promise<void> = Promise.resolve();

/** Resolves once the last reported file changes are applied. */
export function filesAreRead(): Promise<void> {
  return reading;
}

/** Reads all files, or only those at `changed`. Reads are serialised. */
function readFiles(changed?: readonly string[]): Promise<void> {
  const read = async (): Promise<void> => {
    const { project, files, paths } = projectStore.getState();
    if (!project) return;
    const asked = files && changed && changed.length <= MAX_CHANGED_PATHS ? changed : null;
    const answer = await api.call('project.files', asked ? { paths: [...asked] } : {});
    if (projectStore.getState().project?.id !== project.id) return;
    set(asked && files ? applyFileNews({ files, paths }, asked, answer) : toFileList(answer));
  };
  const done = reading.then(read);
  reading = done.catch(() => undefined);
  return done;
}

/** Reads the recently opened games, newest first. */
export async function readRecents(): Promise<void> {
  const { recents } = await api.call('project.recents', {});
  set({ recents });
}

/** Switches to a game, or to none. */
export function enterProject(project: Project | null): void {
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

/** Clears why the last folder was not opened: another one is shown. */
export function forgetOpenError(): void {
  set({ openError: null });
}

export function stopBrowsing(): void {
  set({ isBrowsing: false });
}

/** True when the opened folder contains no game; only then the page suggests what to open instead. */
export function isNoGame(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'project.noGame';
}

/** Returns the id of the empty folder that could not be opened and can hold a new game. Null for other errors. */
export function emptyFolderOf(error: unknown): string | null {
  const folder = isNoGame(error) && error instanceof AppError ? error.details?.emptyFolder : null;
  return typeof folder === 'string' ? folder : null;
}

export function dismissGames(): void {
  set({ games: null });
}

/** Removes a game from the list of recent ones; its files are not touched. */
export async function forgetRecent(id: string): Promise<void> {
  await api.call('project.forgetRecent', { id });
  await readRecents();
}

async function readAll(): Promise<void> {
  const [info, { project }] = await Promise.all([api.call('app.info', {}), api.call('project.current', {})]);
  const { hasFolderDialog, version, isSafeMode, host, systemLocale } = info;
  set({ hasFolderDialog, version, isSafeMode, host, systemLocale });
  enterProject(project);
}

/** Starts synchronising the store with the app's project service; call once. */
export function connectProject(): void {
  api.on('project.changed', ({ project }) => enterProject(project));
  api.on('project.filesChanged', ({ paths }) => {
    // On failure the shown files stay; the next change retries.
    void readFiles(paths).catch(() => undefined);
  });
  const start = () => void readAll().catch((openError: unknown) => set({ openError, isKnown: true }));
  onConnection((isConnected) => isConnected && start());
  start();
}
