import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserWindow, screen } from 'electron';
import { z } from 'zod';

const Bounds = z.object({
  /** Null: wherever the system puts a new window. */
  place: z.object({ x: z.int(), y: z.int() }).nullable(),
  width: z.int().min(400).max(20_000),
  height: z.int().min(300).max(20_000),
  isMaximized: z.boolean(),
});
type Bounds = z.infer<typeof Bounds>;

const FIRST_TIME: Bounds = { place: null, width: 1440, height: 900, isMaximized: false };
const SETTLE = 500;

export interface WindowState {
  read(): Promise<Bounds>;
  follow(window: BrowserWindow): void;
}

/** Remembers where the window stood. A lost or odd file only means the window opens where it did the first time. */
export function createWindowState(folder: string): WindowState {
  const path = join(folder, 'window.json');
  return {
    async read() {
      try {
        const bounds = Bounds.parse(JSON.parse(await readFile(path, 'utf8')));
        return isOnScreen(bounds) ? bounds : { ...bounds, place: null };
      } catch {
        // Absent on the first start, and not worth a word when it is damaged.
        return FIRST_TIME;
      }
    },
    follow(window) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const write = async (): Promise<void> => {
        const { x, y, width, height } = window.getNormalBounds();
        const bounds: Bounds = { place: { x, y }, width, height, isMaximized: window.isMaximized() };
        try {
          await writeFile(`${path}.new`, JSON.stringify(bounds));
          await rename(`${path}.new`, path);
        } catch {
          // A full disk must not disturb her over a window's place.
        }
      };
      const later = () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          if (!window.isDestroyed()) void write();
        }, SETTLE);
      };
      for (const event of ['resize', 'move', 'maximize', 'unmaximize'] as const) window.on(event as 'resize', later);
      window.on('close', () => {
        clearTimeout(timer);
        void write();
      });
    },
  };
}

/** A window on a screen that was unplugged would be nowhere. */
function isOnScreen({ place, width, height }: Bounds): boolean {
  if (!place) return true;
  const { x, y } = place;
  return screen.getAllDisplays().some(({ workArea }) => {
    const isBeside = x + width < workArea.x + 80 || x > workArea.x + workArea.width - 80;
    const isAbove = y + height < workArea.y + 80 || y > workArea.y + workArea.height - 80;
    return !isBeside && !isAbove;
  });
}
