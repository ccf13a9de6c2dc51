import { Menu, type MenuItemConstructorOptions } from 'electron';

/**
 * The smallest menu that keeps the system's own shortcuts: copy and paste on a Mac come from here, and the roles word
 * themselves in the system's language.
 */
export function createMenu(platform: string): Menu {
  const template: MenuItemConstructorOptions[] = [
    ...(platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
    { role: 'editMenu' },
    {
      role: 'viewMenu',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
      ],
    },
    { role: 'windowMenu' },
  ];
  return Menu.buildFromTemplate(template);
}
