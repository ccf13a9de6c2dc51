import type { RunningApp } from '../fixtures.ts';

/** An item of the window's native menus. */
export interface ShownItem {
  id: string;
  label: string;
  isEnabled: boolean;
  /** True if the item's key is registered; false if it is only displayed. */
  ownsKey: boolean;
  accelerator: string;
}

/** Returns every item with a label, in menu order. */
export function readMenu({ desktop }: RunningApp): Promise<ShownItem[]> {
  return desktop.evaluate(({ Menu }) => {
    const toItems = (menu: Electron.Menu | null | undefined): ShownItem[] =>
      (menu?.items ?? []).flatMap((item) => [
        {
          id: item.id ?? '',
          label: item.label,
          isEnabled: item.enabled,
          ownsKey: item.registerAccelerator,
          accelerator: String(item.accelerator ?? ''),
        },
        ...toItems(item.submenu),
      ]);
    return toItems(Menu.getApplicationMenu()).filter(({ label }) => label !== '');
  });
}

/** Chooses an item like a click. Throws if it is absent or disabled. */
export function chooseItem({ desktop }: RunningApp, id: string): Promise<void> {
  return desktop.evaluate(({ Menu, BrowserWindow }, wanted) => {
    const item = Menu.getApplicationMenu()?.getMenuItemById(wanted);
    if (!item?.enabled) throw new Error(`The item "${wanted}" ${item ? 'is disabled' : 'is absent'}.`);
    item.click(undefined, BrowserWindow.getAllWindows()[0], undefined);
  }, id);
}
