import { drawBookshop } from './bookshop.ts';
import { drawBridge } from './bridge.ts';
import { drawCat } from './cat.ts';
import { drawGirl } from './girl.ts';
import type { Picture } from './paint.ts';
import { drawStreet } from './street.ts';
import { drawTitle } from './title.ts';

/** Every picture of the sample: its file under `game/`, how it is drawn, and how hard it is pressed. */
export const PICTURES: Record<string, { draw: () => Picture; quality: number }> = {
  'background/street.webp': { draw: drawStreet, quality: 0.82 },
  'background/bookshop.webp': { draw: drawBookshop, quality: 0.82 },
  'background/bridge.webp': { draw: drawBridge, quality: 0.82 },
  'background/title.webp': { draw: drawTitle, quality: 0.82 },
  'figure/xiaoman-calm.webp': { draw: () => drawGirl('calm'), quality: 0.86 },
  'figure/xiaoman-smile.webp': { draw: () => drawGirl('smile'), quality: 0.86 },
  'figure/xiaoman-shy.webp': { draw: () => drawGirl('shy'), quality: 0.86 },
  'figure/cat-sleepy.webp': { draw: () => drawCat('sleepy'), quality: 0.86 },
  'figure/cat-awake.webp': { draw: () => drawCat('awake'), quality: 0.86 },
  'figure/cat-meow.webp': { draw: () => drawCat('meow'), quality: 0.86 },
};
