import { renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserWindow, type Rectangle, screen } from 'electron';
import { z } from 'zod';
import { fitToScreens } from './fit-to-screens.ts';

/** Minimum size of the window, in device-independent pixels. */
export const MIN_WIDTH = 900;
export const MIN_HEIGHT = 600;

const Bounds = z.object({
  /** Null: the system places the window. */
  place: z.object({ x: z.int(), y: z.int() }).nullable(),
  width: z.int().min(MIN_WIDTH).max(20_000).catch(MIN_WIDTH),
  height: z.int().min(MIN_HEIGHT).max(20_000).catch(MIN_HEIGHT),
  isMaximized: z.boolean(),
});
type Bounds = z.infer<typeof Bounds>;

/** The default bounds. */
export const FIRST_TIME: Bounds = { place: null, width: 1440, height: 900, isMaximized: false };
const WRITE_DELAY_MS = 500;

export interface WindowState {
  read(): Promise<Bounds>;
  follow(window: BrowserWindow): void;
}

/** Stores the window's bounds in `folder`. If the file is missing or invalid, the window opens with the default bounds. */
export function createWindowState(folder: string): WindowState {
  const path = join(folder, 'window.json');
  return {
    async read() {
      try {
        const bounds = Bounds.parse(JSON.parse(await readFile(path, 'utf8')));
        return fitToScreens(bounds, listWorkAreas());
      } catch {
        // Absent on the first start; a damaged file is not reported.
        return fitToScreens(FIRST_TIME, listWorkAreas());
      }
    },
    follow(window) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      // Written immediately, because the app may end right after the window.
      const write = (): void => {
        const { x, y, width, height } = window.getNormalBounds();
        const bounds: Bounds = { place: { x, y }, width, height, isMaximized: window.isMaximized() };
        try {
          writeFileSync(`${path}.new`, JSON.stringify(bounds));
          renameSync(`${path}.new`, path);
        } catch {
          // A failed write of the bounds is not worth reporting to the user.
        }
      };
      const later = () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          if (!window.isDestroyed()) write();
        }, WRITE_DELAY_MS);
      };
      for (const event of ['resize', 'move', 'maximize', 'unmaximize'] as const) window.on(event as 'resize', later);
      window.on('close', () => {
        clearTimeout(timer);
        write();
      });
    },
  };
}

function listWorkAreas(): Rectangle[] {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
  return [primary, ...others].map(({ workArea }) => workArea);
}
