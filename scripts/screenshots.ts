import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { launchBrowser } from '../tests/support/browser.ts';
import { buildStale } from './build.ts';

/**
 * Takes the pictures of the documents from the running app, by walking the guided tour: `npm run screenshots`. Each
 * view in light and dark; the review in both sizes that writers have most.
 */
const ROOT = join(import.meta.dirname, '..');
const OUT = join(ROOT, 'docs', 'screenshots');
/** The views that change most with the room they have. */
const KEPT_LARGE = new Set(['welcome', 'work', 'review']);
const SIZES = { small: { width: 1280, height: 800 }, large: { width: 1920, height: 1080 } };

await buildStale((line) => console.log(line));
await mkdir(OUT, { recursive: true });
const browser = await launchBrowser();
for (const colorScheme of ['light', 'dark'] as const) {
  for (const size of ['small', 'large'] as const) await walk(colorScheme, size);
}
await browser.close();

async function walk(colorScheme: 'light' | 'dark', size: keyof typeof SIZES): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'webgal-agent-shots-'));
  const child = spawn(
    process.execPath,
    [join(ROOT, 'out/main/cli.js'), 'serve', '--port', '0', '--no-open', '--json'],
    {
      env: {
        ...process.env,
        WEBGAL_AGENT_HOME: join(folder, 'home'),
        WEBGAL_AGENT_DOCUMENTS: join(folder, 'documents'),
        LC_ALL: 'zh_CN.UTF-8',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  try {
    const url = await new Promise<string>((resolve) => {
      child.stdout.once('data', (chunk: Buffer) => resolve((JSON.parse(String(chunk)) as { url: string }).url));
    });
    const context = await browser.newContext({
      viewport: SIZES[size],
      colorScheme,
      locale: 'zh-CN',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await page.goto(url);
    const pathOf = (name: string) => join(OUT, `${name}-${colorScheme}${size === 'small' ? '' : '-large'}.png`);
    const take = async (name: string) => {
      if (size === 'small' || KEPT_LARGE.has(name)) await page.screenshot({ path: pathOf(name) });
    };
    const takeStage = async () => {
      if (size === 'small') await page.locator('#region-stage').screenshot({ path: pathOf('stage') });
    };
    await tour(page, take, takeStage);
    await context.close();
  } finally {
    child.kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** From the welcome page to the history, a picture at each stop. */
async function tour(
  page: Page,
  take: (name: string) => Promise<unknown>,
  takeStage: () => Promise<unknown>,
): Promise<void> {
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  // Pictures take their time where the engine draws on the processor.
  const rest = (milliseconds = 2500) => page.waitForTimeout(milliseconds);
  await button('新手导览').waitFor();
  await take('welcome');
  await button('新手导览').click();
  await page.getByText('舞台已连接').waitFor();
  await page.getByText('小满').nth(2).click();
  await rest(9000);
  await take('work');
  await button('发出示例请求').click();
  await button('照此动手').click();
  await page.locator('#region-middle').getByRole('button', { name: '全部接受' }).waitFor();
  await page.locator('#region-middle').getByRole('button', { name: '播放', exact: true }).click();
  await rest(9000);
  await take('review');
  await takeStage();
  await page.locator('#region-middle').getByText('文本', { exact: true }).click();
  await rest();
  await take('review-text');
  await page.locator('#region-middle').getByRole('button', { name: '全部接受' }).click();
  await page.getByText('已接受，写进了游戏').waitFor();
  await page.keyboard.press('Control+4');
  await page.locator('#region-middle').getByRole('button', { name: 'start.txt' }).first().click();
  await rest();
  await take('history');
  await page.keyboard.press('Control+5');
  await page.getByText('DeepSeek').first().click();
  await rest();
  await take('settings');
  await page.keyboard.press('Control+3');
  await rest();
  await take('assets');
}
