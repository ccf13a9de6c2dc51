import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, expect, type FrameLocator, type Page } from '@playwright/test';
import { createBuffers } from '../../../main/core/project/unsaved/buffers.ts';
import type { Buffers, Stage } from '../../../main/core/services.ts';
import { createStage } from '../../../main/core/stage/stage.ts';
import { createStageLink } from '../../../main/node/stage/link/stage-link.ts';
import { createStageServer } from '../../../main/node/stage/stage-server.ts';
import { createTerreClient } from '../../../main/node/terre/terre-client.ts';
import { createTerre } from '../../../main/node/terre/terre-preview.ts';
import { copyEngine } from '../../../scripts/copy-engine.ts';
import { createProjectFolder, type ProjectFolder } from '../games/project-folder.ts';
import { findPort, installTerre, killTerre, startTerre } from '../terre/install-terre.ts';

const SIZE = { width: 960, height: 540 };

/** The stage of a game with the real engine in a real browser. */
export interface OpenStage {
  stage: Stage;
  link: ReturnType<typeof createStageLink>;
  buffers: Buffers;
  /** The texts of a proposal, by project path; the stage reads them again for each request. */
  drafts: Map<string, string>;
  game: ProjectFolder;
  page: Page;
  engine(): FrameLocator;
  close(): Promise<void>;
}

/** Opens a game of these files with the engine in a frame of a page of another origin, like the app. */
export async function openStage(
  browser: Browser,
  files: Record<string, string>,
  /** `brings`: the version of an engine that the files contain. `isInTerre`: a Terre serves the engine. */
  {
    engineDirectory,
    brings,
    isInTerre = false,
  }: { engineDirectory?: string | undefined; brings?: string; isInTerre?: boolean } = {},
): Promise<OpenStage> {
  const directory = engineDirectory ?? (await copyEngine()).directory;
  const game = await createProjectFolder(files);
  const terre = isInTerre ? await openTerre(game.root, directory) : null;
  // Terre's engine then is the only one.
  const server = createStageServer({ engineDirectory: terre ? game.root : directory });
  const link = createStageLink({
    ...{ server, root: game.root },
    ...(brings !== undefined && { ownEngine: game.root }),
    ...(terre && { findInTerre: terre.find }),
  });
  if (terre) link.serveEngine('terre');
  const buffers = createBuffers();
  const drafts = new Map<string, string>();
  const stage = createStage({
    link,
    reader: game.reader,
    buffers,
    proposals: {
      ...{ reader: game.reader, texts: () => drafts, played: () => drafts },
      ...{ current: () => null, on: () => () => {} },
    },
    emit: () => {},
    locale: () => 'en',
    ...(brings !== undefined && {
      engines: { own: { version: brings, from: 'game' }, readChoice: async () => null, writeChoice: async () => {} },
    }),
  });
  await expect.poll(() => stage.state().url).not.toBe(null);
  const { url } = await link.start();
  const appPage = await serveAppPage(`${url}/?lang=en`);
  server.embedIn(appPage.url.replace(/\/$/, ''));
  const page = await browser.newPage({ viewport: SIZE });
  await page.goto(appPage.url);
  await expect.poll(() => stage.state().status).toBe('ready');
  return {
    ...{ stage, link, buffers, drafts, game, page },
    engine: () => page.frameLocator('iframe'),
    async close() {
      await page.close();
      stage.dispose();
      await link.close();
      await server.close();
      await appPage.close();
      await terre?.close();
      await game.dispose();
    },
  };
}

/** Starts the stand-in for Terre, which gives the game this engine. */
async function openTerre(root: string, engine: string) {
  const folder = await mkdtemp(join(tmpdir(), 'terre-'));
  await installTerre(folder, { games: { 'my game': join(root, 'game') }, engine });
  const port = await findPort();
  await startTerre(folder, port);
  const { find } = createTerre({ root, client: createTerreClient({ WEBGAL_PORT: String(port - 1) }) });
  return {
    find,
    async close() {
      await killTerre(folder);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Serves a page like the app's: another origin on this machine, with the engine in a sandboxed frame. */
async function serveAppPage(src: string): Promise<{ url: string; close(): Promise<void> }> {
  const { width, height } = SIZE;
  const server = createServer((_, response) =>
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(
        `<body style="margin:0"><iframe src="${src}" width="${width}" height="${height}" style="border:0" sandbox="allow-scripts allow-same-origin" allow="autoplay"></iframe>`,
      ),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
