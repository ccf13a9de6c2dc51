import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserWindow, type Rectangle, screen } from 'electron';
import { z } from 'zod';
import { fitToScreens } from './fit-to-screens.ts';

/** What is known of a window before it was ever opened. Sizes in device-independent pixels. */
export interface WindowKind {
  /** Where its bounds are stored, in the app's data folder. */
  file: string;
  minWidth: number;
  minHeight: number;
  width: number;
  height: number;
}
export const APP_WINDOW: WindowKind = { file: 'window.json', minWidth: 900, minHeight: 600, width: 1440, height: 900 };
/** The first size is that of a picture of 16:9. */
export const STAGE_WINDOW: WindowKind = {
  ...{ file: 'stage-window.json', minWidth: 320, minHeight: 200 },
  ...{ width: 960, height: 540 },
};

interface Bounds {
  /** Null: the system places the window. */
  place: { x: number; y: number } | null;
  width: number;
  height: number;
  isMaximized: boolean;
}

const toSchema = ({ minWidth, minHeight }: WindowKind): z.ZodType<Bounds> =>
  z.object({
    place: z.object({ x: z.int(), y: z.int() }).nullable(),
    width: z.int().min(minWidth).max(20_000).catch(minWidth),
    height: z.int().min(minHeight).max(20_000).catch(minHeight),
    isMaximized: z.boolean(),
  });

/** Returns the bounds of a window that was never opened. */
export function toFirstBounds({ width, height }: WindowKind): Bounds {
  return { place: null, width, height, isMaximized: false };
}
const WRITE_DELAY_MS = 500;

export interface WindowState {
  read(): Bounds;
  follow(window: BrowserWindow): void;
}

/** Stores a window's bounds in `folder`. If the file is missing or invalid, the window opens with its first bounds. */
export function createWindowState(folder: string, kind: WindowKind): WindowState {
  const path = join(folder, kind.file);
  const schema = toSchema(kind);
  return {
    read() {
      try {
        return fitToScreens(schema.parse(JSON.parse(readFileSync(path, 'utf8'))), listWorkAreas());
      } catch {
        // Absent on the first start; a damaged file is not reported.
        return fitToScreens(toFirstBounds(kind), listWorkAreas());
      }
    },
    follow(window) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      let latest: Bounds | null = null;
      // While it lives: a page can close its window without an event before.
      const note = (): void => {
        const { x, y, width, height } = window.getNormalBounds();
        latest = { place: { x, y }, width, height, isMaximized: window.isMaximized() };
      };
      // Written immediately, because the app may end right after the window.
      const write = (): void => {
        clearTimeout(timer);
        if (latest === null) return;
        try {
          writeFileSync(`${path}.new`, JSON.stringify(latest));
          renameSync(`${path}.new`, path);
        } catch {
          // A failed write of the bounds is not worth reporting to the user.
        }
      };
      const later = () => {
        note();
        clearTimeout(timer);
        timer = setTimeout(write, WRITE_DELAY_MS);
      };
      for (const event of ['resize', 'move', 'maximize', 'unmaximize'] as const) window.on(event as 'resize', later);
      window.on('close', note);
      window.once('closed', write);
    },
  };
}

function listWorkAreas(): Rectangle[] {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
  return [primary, ...others].map(({ workArea }) => workArea);
}
