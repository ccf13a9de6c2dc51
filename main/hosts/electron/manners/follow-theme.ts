import { type BrowserWindow, nativeTheme } from 'electron';
import type { LiveSettings } from '../live-settings.ts';

/** `paper` of the page's palettes (`renderer/ui/palette.ts`): what stands behind the page before it has painted. */
const WINDOW_COLOURS = { light: '#f7f4ee', dark: '#171614' } as const;

/** Lets title bar, menus and the page's `prefers-color-scheme` follow the setting. Call before the window is made. */
export function followTheme(settings: LiveSettings): void {
  settings.follow(({ theme }) => {
    nativeTheme.themeSource = theme === 'auto' ? 'system' : theme;
  });
}

/** The colour of an empty window now. */
export function toWindowColour(): string {
  return nativeTheme.shouldUseDarkColors ? WINDOW_COLOURS.dark : WINDOW_COLOURS.light;
}

/** Keeps the window's colour that of the page, so that neither a resize nor a reload flashes. */
export function followThemeColour(window: BrowserWindow): void {
  const follow = (): void => window.setBackgroundColor(toWindowColour());
  nativeTheme.on('updated', follow);
  window.once('closed', () => nativeTheme.off('updated', follow));
}
