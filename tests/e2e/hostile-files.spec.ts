import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Page } from '@playwright/test';
import {
  FILM_BYTES,
  FORGED,
  plantFilm,
  plantTraps,
  serveTrapsBare,
  TRAP_PATHS,
} from '../support/attacks/hostile-files.ts';
import { LOOT, startOtherProgram, TALKING_ENGINE } from '../support/attacks/hostile-game.ts';
import { launchBrowser } from '../support/window/browser.ts';
import type { RunningApp } from './fixtures.ts';
import { expect, test } from './user-actions.ts';

// Software rendering is slow, especially on a busy machine.
test.setTimeout(300_000);

const stageOf = (page: Page): Frame | undefined =>
  page.frames().find((frame) => /^http:\/\/stage-[^/]*\.localhost:/.test(frame.url()));

/** Returns the stage's frame after the game's program has run in it. */
async function findStage(page: Page): Promise<Frame> {
  // An engine that was left for a trap can count as one that does not start; then the app's plays.
  const back = page.getByRole('button', { name: 'Use the game’s own' });
  const kind = async () => {
    if (await back.isVisible()) await back.click().catch(() => undefined);
    return stageOf(page)
      ?.evaluate(`typeof globalThis.${LOOT}`)
      .catch(() => '');
  };
  await expect.poll(kind, { timeout: 90_000 }).toBe('object');
  return stageOf(page) as Frame;
}

test('traps in files work where a browser opens them without the walls of the stage', async () => {
  const other = await startOtherProgram();
  const bare = await serveTrapsBare(other.origin);
  const browser = await launchBrowser();
  const page = await browser.newPage();
  await page.goto(bare.origin);
  for (const path of TRAP_PATHS) {
    const name = path.split('.').at(-1);
    const heard = page.evaluate(
      (src) =>
        new Promise<string>((resolve) => {
          addEventListener('message', ({ data }) => resolve(data.trap), { once: true });
          const frame = document.createElement('iframe');
          frame.src = src;
          document.body.append(frame);
        }),
      `/${path}`,
    );
    expect(await heard).toBe(name);
    for (const way of ['image', 'fetch'])
      await expect.poll(() => other.requests.map(({ url }) => url)).toContain(`/${name}/${way}`);
  }
  await browser.close();
  bare.close();
  await other.close();
});

for (const [what, options] of [
  ['a game', { gameScript: 'void 0;' }],
  ['a game with an engine of its own', { gameEngine: TALKING_ENGINE }],
] as const) {
  test.describe(`files of ${what}`, () => {
    test.use(options);

    test('run no program, whichever way the game shows them', async ({ app }) => {
      const { page, projectDir } = app;
      const other = await startOtherProgram();
      await plantTraps(projectDir, other.origin);
      const isQuiet = async (way: string) => {
        await page.waitForTimeout(1500);
        expect(
          other.requests.map(({ url }) => url),
          way,
        ).toEqual([]);
        expect(other.connections(), way).toBe(0);
        expect(page.url(), way).toBe(address);
      };
      const frame = await findStage(page);
      // Without the launch link's fragment.
      const address = page.url();
      await test.step('inside of its page', async () => {
        for (const path of TRAP_PATHS) {
          await frame.evaluate((file) => {
            for (const [tag, name] of [
              ['iframe', 'src'],
              ['object', 'data'],
              ['embed', 'src'],
              ['img', 'src'],
            ] as const) {
              const element = document.createElement(tag);
              element.setAttribute(name, `/${file}`);
              document.body.append(element);
            }
          }, path);
        }
        await isQuiet('inside of its page');
      });
      for (const path of TRAP_PATHS) {
        await test.step(`as its page: ${path}`, async () => {
          await stageOf(page)
            ?.evaluate(`void setTimeout(() => { location.href = '/${path}'; })`)
            .catch(() => undefined);
          const isPlaying = () =>
            stageOf(page)
              ?.evaluate(`typeof globalThis.${LOOT} === 'object'`)
              .catch(() => false) ?? false;
          await expect.poll(isPlaying, { timeout: 30_000 }).toBe(false);
          await isQuiet(path);
          await page.getByRole('button', { name: 'Load the stage again' }).first().click();
          await findStage(page);
        });
      }
      await expect(page.getByText(FORGED)).toBeHidden();
      expect(app.pageErrors).toEqual([]);
      await other.close();
    });
  });
}

/** The memory of the app's main process in bytes; null where the system does not tell. */
async function readMemory(app: RunningApp): Promise<number | null> {
  if (app.hasWindow) return app.desktop.evaluate(() => process.memoryUsage().rss);
  if (!existsSync('/proc')) return null;
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const read = (name: string) => readFile(join('/proc', id, name), 'latin1').catch(() => '');
    const isOurs = (await read('environ')).includes(`WEBGAL_AGENT_HOME=${app.home}\0`);
    if (!isOurs || !(await read('cmdline')).includes('cli.js')) continue;
    return Number(/VmRSS:\s+(\d+) kB/.exec(await read('status'))?.[1] ?? 0) * 1024;
  }
  return null;
}

test.describe('a game that requests parts of a film of three gigabytes', () => {
  test.use({ gameScript: 'void 0;' });

  test('receives what exists, and the app neither reads the film whole nor stops', async ({ app }) => {
    const { page, projectDir } = app;
    await plantFilm(projectDir);
    const frame = await findStage(page);
    const before = await readMemory(app);
    const ask = (range: string) =>
      frame.evaluate(async (header) => {
        const stop = new AbortController();
        const reply = await fetch('/game/video/film.mp4', { headers: { range: header }, signal: stop.signal });
        const length = Number(reply.headers.get('content-length'));
        const text = length < 100 ? await reply.text() : '';
        stop.abort();
        return [reply.status, length, text];
      }, range);
    const whole = [200, FILM_BYTES, ''];
    for (const [range, expected] of [
      ['bytes=-7', [206, 7, 'the end']],
      [`bytes=${FILM_BYTES - 7}-${'9'.repeat(15)}`, [206, 7, 'the end']],
      [`bytes=-${'9'.repeat(15)}`, [206, FILM_BYTES, '']],
      [`bytes=${2 ** 31 - 1}-${2 ** 31}`, [206, 2, '\0\0']],
      [`bytes=${2 ** 32 + 1}-`, [416, 0, '']],
      ['bytes=-0', [416, 0, '']],
      [`bytes=-${'9'.repeat(300)}`, whole],
      ['bytes=9-1', whole],
      ['bytes=0-,0-,0-,-1', whole],
      [`bytes=${Array.from({ length: 1000 }, (_, at) => `${at}-${FILM_BYTES - 1}`).join()}`, whole],
    ] as const)
      expect([range.slice(0, 60), await ask(range)]).toEqual([range.slice(0, 60), expected]);

    // Many at once, of which the game reads none.
    await frame.evaluate(() => {
      const kept: unknown[] = [];
      Object.assign(globalThis, { kept });
      for (let count = 0; count < 100; count += 1) {
        void fetch(`/game/video/film.mp4?${count}`, { headers: { range: `bytes=${count}-` } }).then((reply) =>
          kept.push(reply),
        );
        const film = document.createElement('video');
        film.preload = 'auto';
        film.src = `/game/video/film.mp4?film=${count}`;
        document.body.append(film);
      }
    });
    const code = page.getByTestId('code');
    await code.getByText('小满').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('; alive', { delay: 20 });
    await expect(code.getByText('; alive')).toBeVisible();
    await page.waitForTimeout(3000);
    const after = await readMemory(app);
    if (before !== null && after !== null) expect(after - before).toBeLessThan(400 * 1024 ** 2);
    expect((await stat(join(projectDir, 'game/video/film.mp4'))).size).toBe(FILM_BYTES);
  });
});

test('a game with a journal of brackets and a conversation of empty lines opens', async ({ app }) => {
  const own = join(app.projectDir, '.webgal_agent');
  await mkdir(join(own, 'journal'), { recursive: true });
  await mkdir(join(own, 'sessions'), { recursive: true });
  await writeFile(join(own, 'journal', 'a0.json'), '['.repeat(60_000_000));
  await writeFile(join(own, 'sessions', `${randomUUID()}.jsonl`), '\n'.repeat(60_000_000));
  await app.restart();
  await expect(app.page.getByTestId('code').getByText('小满').first()).toBeVisible();
});
