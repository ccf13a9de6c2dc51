import { type BrowserWindow, nativeTheme } from 'electron';
import type { LiveSettings } from '../live-settings.ts';

/** `paper` of the page's palettes (`renderer/ui/theme/palette.ts`): the window's background before the first paint. */
const WINDOW_COLOURS = { light: '#f7f4ee', dark: '#171614' } as const;

/** Applies the theme setting to title bar, menus and the page's `prefers-color-scheme`. Call before the window is created. */
export function followTheme(settings: LiveSettings): void {
  settings.follow(({ theme }) => {
    nativeTheme.themeSource = theme === 'auto' ? 'system' : theme;
  });
}

/** Returns the background colour of an empty window in the current theme. */
export function toWindowColour(): string {
  return nativeTheme.shouldUseDarkColors ? WINDOW_COLOURS.dark : WINDOW_COLOURS.light;
}

/** Keeps the window's background equal to the page's, so that a resize or reload does not flash. */
export function followThemeColour(window: BrowserWindow): void {
  const follow = (): void => window.setBackgroundColor(toWindowColour());
  nativeTheme.on('updated', follow);
  window.once('closed', () => nativeTheme.off('updated', follow));
}
