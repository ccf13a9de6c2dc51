import type { BrowserWindow } from 'electron';
import type { IntegrationPorts } from './integration-ports.ts';

const APP_NAME = 'WebGAL Agent';

/**
 * Shows the open game in the window's title and marks unsaved text: with the system's mark on macOS, with a dot elsewhere.
 * macOS also shows the game's folder in the title.
 */
export function nameWindow(window: BrowserWindow, { composed, api }: IntegrationPorts): void {
  let game: { id: string; title: string } | null = null;
  let isEdited = false;

  const show = (): void => {
    if (window.isDestroyed()) return;
    const name = game ? `${game.title} — ${APP_NAME}` : APP_NAME;
    window.setDocumentEdited(isEdited);
    window.setTitle(isEdited && process.platform !== 'darwin' ? `● ${name}` : name);
  };
  const enter = (project: typeof game): void => {
    // A newly opened game has no unsaved text.
    if (project?.id !== game?.id) isEdited = false;
    game = project;
    show();
    if (process.platform === 'darwin') void represent(project?.id ?? null);
  };
  const represent = async (id: string | null): Promise<void> => {
    const folder = id === null ? '' : await composed.findFolder(id).catch(() => '');
    if (!window.isDestroyed()) window.setRepresentedFilename(folder);
  };

  // The page's own title contains only the app's name.
  window.on('page-title-updated', (event) => event.preventDefault());
  api.on('project.changed', ({ project }) => enter(project));
  api.on('script.unsavedChanged', ({ paths }) => {
    isEdited = paths.length > 0;
    show();
  });
  void api.call('project.current', {}).then(({ project }) => enter(project));
}
