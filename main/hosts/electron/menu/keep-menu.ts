import { BrowserWindow, Menu } from 'electron';
import type { RecentProject } from '../../../../shared/model/project.ts';
import type { IntegrationPorts } from '../integration/integration-ports.ts';
import { createHostActions } from './host-actions.ts';
import { createMenuTemplate } from './menu-template.ts';

/**
 * Keeps the menus up to date: rebuilds them when the language, the open game or the list of recent games changes.
 */
export function keepMenu(window: BrowserWindow, { composed, api, settings, text, log }: IntegrationPorts): void {
  const actions = createHostActions(window, { api, log });
  let hasGame = false;
  let recents: RecentProject[] = [];
  let built = '';

  const build = (): void => {
    if (window.isDestroyed()) return;
    const { menu } = text();
    // Rebuilding closes an open menu, so it is skipped when nothing visible changed.
    const facts = JSON.stringify([menu.file.title, hasGame, recents]);
    if (facts === built) return;
    built = facts;
    const template = createMenuTemplate({
      ...{ text: menu, isMac: process.platform === 'darwin', hasGame, recents, actions },
      command: (command) => composed.app.emit('app.commanded', command),
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
    // Electron gives it to every window; on the stage's it would act on this one.
    for (const other of BrowserWindow.getAllWindows()) if (other !== window) other.removeMenu();
  };
  const readRecents = async (): Promise<void> => {
    // If the list cannot be read, the menu stays as it is; the welcome page reports the reason.
    recents = await api.call('project.recents', {}).then(
      (found) => found.recents,
      () => recents,
    );
    build();
  };

  api.on('project.changed', ({ project }) => {
    hasGame = project !== null;
    build();
    void readRecents();
  });
  api.on('project.recentsChanged', () => void readRecents());
  settings.follow(build);
  void api.call('project.current', {}).then(({ project }) => {
    hasGame = project !== null;
    return readRecents();
  });
}
