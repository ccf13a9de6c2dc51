/**
 * Draws the pictures of the sample game: `node assets/sample-game/source/draw-art.ts [NAME …]`. They are composed as SVG here and
 * turned into WebP by a browser, for the engine shows those the same everywhere.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { launchBrowser } from '../../../tests/support/window/browser.ts';
import { type Picture, toSvg } from './art/paint.ts';
import { PICTURES } from './art/pictures.ts';

const GAME = join(import.meta.dirname, '..', 'game');

/** Source text that runs in the page, because this program has no browser types. Returns the picture as base64. */
const PRESS = `async ({ svg, width, height, quality }) => {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  await image.decode();
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d').drawImage(image, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
  let text = '';
  for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
}`;

/** `quality` as canvas counts it, 0 to 1. */
async function toWebp(page: Page, picture: Picture, quality: number): Promise<Buffer> {
  const input = JSON.stringify({ svg: toSvg(picture), width: picture.width, height: picture.height, quality });
  return Buffer.from(await page.evaluate<string>(`(${PRESS})(${input})`), 'base64');
}

const wanted = process.argv.slice(2);
const browser = await launchBrowser();
try {
  const page = await browser.newPage();
  for (const [name, { draw, quality }] of Object.entries(PICTURES)) {
    if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue;
    const bytes = await toWebp(page, draw(), quality);
    const file = join(GAME, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
    console.log(`${name} ${(bytes.length / 1024).toFixed(0)} KB`);
  }
} finally {
  await browser.close();
}
