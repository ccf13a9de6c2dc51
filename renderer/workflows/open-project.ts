import type { OpenResult } from '../../shared/model/project.ts';
import { api } from '../api.ts';
import { i18n } from '../i18n/setup.ts';
import { activate, flushSaves } from '../state/documents/editor-store.ts';
import { notify, notifyError } from '../state/notify.ts';
import { emptyFolderOf, enterProject, projectStore } from '../state/project/project-store.ts';
import { describeError } from '../ui/text/describe-error.ts';

const set = projectStore.setState;

/** True when the game can be left without losing unsaved text. Otherwise shows the first unsaved file. */
async function mayLeave(): Promise<boolean> {
  const [unsaved] = await flushSaves();
  if (unsaved === undefined) return true;
  activate(unsaved);
  notify({ level: 'warning', text: i18n.t('editor:stay', { name: unsaved.split('/').at(-1) }) });
  return false;
}

/** Runs one of the ways to open a game and shows its error. */
async function open(what: string, ask: () => Promise<OpenResult | { status: 'cancelled' }>): Promise<void> {
  if (projectStore.getState().project && !(await mayLeave())) return;
  set({ opening: what, openError: null, games: null });
  try {
    const result = await ask();
    if (result.status === 'opened') enterProject(result.project);
    if (result.status === 'choose') set({ games: result.games, isBrowsing: false });
  } catch (openError) {
    // With a game open there is no welcome page to show the error.
    if (projectStore.getState().project) notifyNotOpened(openError);
    else set({ openError });
  } finally {
    set({ opening: null });
  }
}

/** In an empty folder a game can be made. */
function notifyNotOpened(error: unknown): void {
  const folder = emptyFolderOf(error);
  if (folder === null) {
    notifyError(error);
    return;
  }
  const action = { label: i18n.t('welcome:next.create'), run: () => void createProject(folder) };
  notify({ level: 'warning', text: describeError(error, i18n.t), action });
}

export const openProject = (id: string) => open(id, () => api.call('project.open', { id }));
export const createProject = (id: string) => open('create', () => api.call('project.create', { id }));
export const openSample = () => open('sample', () => api.call('project.openSample', {}));

/** Opens a folder dialog: the system's if available, otherwise the app's own chooser. */
export async function pickProject(): Promise<void> {
  if (projectStore.getState().hasFolderDialog) await open('pick', () => api.call('project.pick', {}));
  else set({ isBrowsing: true, openError: null });
}

export const startTour = () =>
  open('tour', async () => {
    await api.call('chat.startTour', {});
    const { project } = await api.call('project.current', {});
    return project ? { status: 'opened', project } : { status: 'cancelled' };
  });

export async function closeProject(): Promise<void> {
  if (!(await mayLeave())) return;
  await api.call('project.close', {});
}

/** Opens the games that the host offers, such as one dropped on the window; call once. */
export function connectOffers(): void {
  api.on('project.offered', ({ id }) => {
    if (projectStore.getState().project?.id !== id) void openProject(id);
  });
}
