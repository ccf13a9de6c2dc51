import type { MenuItemConstructorOptions } from 'electron';
import type { MenuFacts } from './menu-facts.ts';
import { createViewMenu } from './view-menu.ts';

/** Maximum number of recent games in the menu; the welcome page lists all of them. */
const MAX_RECENTS = 10;

/**
 * Returns the template of the window's menus. The page receives every key first and handles those that it uses; the menu
 * receives the rest, for example while the game has the focus. A key that only the focused text can handle is displayed but
 * not registered (`registerAccelerator: false`).
 */
export function createMenuTemplate(facts: MenuFacts): MenuItemConstructorOptions[] {
  const { text, isMac } = facts;
  return [
    ...(isMac ? [createMacMenu(facts)] : []),
    createFileMenu(facts),
    createEditMenu(facts),
    createViewMenu(facts),
    ...(isMac ? [{ role: 'windowMenu', label: text.window.title } as const] : []),
    createHelpMenu(facts),
  ];
}

const SEPARATOR = { type: 'separator' } as const;

/** Returns the app menu that macOS expects, with about, settings and quit. */
function createMacMenu({ text, hasGame, command }: MenuFacts): MenuItemConstructorOptions {
  return {
    role: 'appMenu',
    submenu: [
      { role: 'about', label: text.help.about },
      SEPARATOR,
      toSettingsItem({ text, hasGame, command }),
      SEPARATOR,
      { role: 'services', label: text.mac.services },
      SEPARATOR,
      { role: 'hide', label: text.mac.hide },
      { role: 'hideOthers', label: text.mac.hideOthers },
      { role: 'unhide', label: text.mac.showAll },
      SEPARATOR,
      { role: 'quit', label: text.file.quit },
    ],
  };
}

function createFileMenu(facts: MenuFacts): MenuItemConstructorOptions {
  const { text, isMac, hasGame, recents, command } = facts;
  const { file } = text;
  return {
    label: file.title,
    submenu: [
      { id: 'newScene', label: file.newScene, accelerator: 'CmdOrCtrl+N', enabled: hasGame, click: send('newScene') },
      SEPARATOR,
      { id: 'openGame', label: file.open, accelerator: 'CmdOrCtrl+O', click: send('openGame') },
      {
        id: 'openRecent',
        label: file.openRecent,
        enabled: recents.length > 0,
        submenu: recents.slice(0, MAX_RECENTS).map((recent) => ({
          id: `recent:${recent.id}`,
          label: toPlainLabel(`${recent.title} — ${recent.place}`),
          click: () => command({ command: 'openRecent', id: recent.id }),
        })),
      },
      SEPARATOR,
      {
        ...{ id: 'save', label: file.save, accelerator: 'CmdOrCtrl+S' },
        ...{ enabled: hasGame, click: send('save') },
      },
      SEPARATOR,
      { id: 'closeTab', label: file.closeTab, accelerator: 'CmdOrCtrl+W', enabled: hasGame, click: send('closeTab') },
      {
        ...{ id: 'closeGame', label: file.closeGame, accelerator: 'CmdOrCtrl+Shift+W' },
        ...{ enabled: hasGame, click: send('closeGame') },
      },
      ...(isMac
        ? []
        : [SEPARATOR, toSettingsItem(facts), SEPARATOR, { id: 'quit', role: 'quit', label: file.quit } as const]),
    ],
  };

  function send(name: 'newScene' | 'openGame' | 'save' | 'closeTab' | 'closeGame') {
    return () => command({ command: name });
  }
}

function toSettingsItem({ text, hasGame, command }: Pick<MenuFacts, 'text' | 'hasGame' | 'command'>) {
  return {
    id: 'settings',
    label: text.file.settings,
    accelerator: 'CmdOrCtrl+,',
    enabled: hasGame,
    click: () => command({ command: 'showView', view: 'settings' }),
  } satisfies MenuItemConstructorOptions;
}

/** Undo, redo and select all are commands: roles would use the browser's history instead of the editor's. */
function createEditMenu({ text: { edit }, hasGame, command }: MenuFacts): MenuItemConstructorOptions {
  const shown = (name: 'undo' | 'redo' | 'selectAll' | 'find' | 'findInGame' | 'replaceInGame', accelerator: string) =>
    ({
      ...{ id: name, label: edit[name], accelerator, registerAccelerator: false },
      click: () => command({ command: name }),
    }) satisfies MenuItemConstructorOptions;
  return {
    label: edit.title,
    submenu: [
      shown('undo', 'CmdOrCtrl+Z'),
      shown('redo', process.platform === 'win32' ? 'Ctrl+Y' : 'CmdOrCtrl+Shift+Z'),
      SEPARATOR,
      { role: 'cut', label: edit.cut },
      { role: 'copy', label: edit.copy },
      { role: 'paste', label: edit.paste },
      shown('selectAll', 'CmdOrCtrl+A'),
      SEPARATOR,
      { ...shown('find', 'CmdOrCtrl+F'), enabled: hasGame },
      { ...shown('findInGame', 'CmdOrCtrl+Shift+F'), enabled: hasGame },
      { ...shown('replaceInGame', 'CmdOrCtrl+Shift+H'), enabled: hasGame },
    ],
  };
}

function createHelpMenu({ text: { help }, isMac, command, actions }: MenuFacts): MenuItemConstructorOptions {
  return {
    role: 'help',
    label: help.title,
    submenu: [
      { id: 'shortcuts', label: help.shortcuts, click: () => command({ command: 'showShortcuts' }) },
      { id: 'logFolder', label: help.logFolder, click: actions.openLogFolder },
      ...(isMac ? [] : [SEPARATOR, { id: 'about', label: help.about, click: actions.showAbout }]),
    ],
  };
}

/** Escapes `&`, which would mark an access key in a label. */
function toPlainLabel(name: string): string {
  return name.replaceAll('&', '&&');
}
