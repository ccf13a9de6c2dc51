import type { MenuItemConstructorOptions } from 'electron';
import { VIEWS } from '../../../../shared/model/command.ts';
import type { MenuFacts } from './menu-facts.ts';

const SEPARATOR = { type: 'separator' } as const;

/** Returns the menu of views, panes, zoom and full screen. */
export function createViewMenu({ text, hasGame, command, actions }: MenuFacts): MenuItemConstructorOptions {
  const { view } = text;
  return {
    label: view.title,
    submenu: [
      ...VIEWS.map((name, index) => ({
        ...{ id: `view:${name}`, label: view.views[name], enabled: hasGame },
        accelerator: `CmdOrCtrl+${index + 1}`,
        click: () => command({ command: 'showView', view: name }),
      })),
      SEPARATOR,
      {
        ...{ id: 'toggleAssistant', label: view.assistant, enabled: hasGame },
        click: () => command({ command: 'toggleAssistant' }),
      },
      {
        ...{ id: 'toggleStage', label: view.stage, enabled: hasGame },
        click: () => command({ command: 'toggleStage' }),
      },
      SEPARATOR,
      { id: 'zoomIn', label: view.zoomIn, accelerator: 'CmdOrCtrl+=', click: () => actions.zoom('in') },
      // The same key with Shift, and on the numeric keypad.
      ...['CmdOrCtrl+Plus', 'CmdOrCtrl+numadd'].map((accelerator) => ({
        ...{ label: view.zoomIn, accelerator, visible: false, acceleratorWorksWhenHidden: true },
        click: () => actions.zoom('in'),
      })),
      { id: 'zoomOut', label: view.zoomOut, accelerator: 'CmdOrCtrl+-', click: () => actions.zoom('out') },
      {
        ...{ label: view.zoomOut, accelerator: 'CmdOrCtrl+numsub', visible: false, acceleratorWorksWhenHidden: true },
        click: () => actions.zoom('out'),
      },
      { id: 'zoomReset', label: view.zoomReset, accelerator: 'CmdOrCtrl+0', click: () => actions.zoom('reset') },
      SEPARATOR,
      { id: 'fullscreen', role: 'togglefullscreen', label: view.fullscreen },
    ],
  };
}
