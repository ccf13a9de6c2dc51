import type { Browser } from '@playwright/test';
import { copyEngine } from '../../scripts/copy-engine.ts';
import { serveBareEngine } from '../support/window/bare-engine.ts';
import { launchBrowser } from '../support/window/browser.ts';
import { type OpenStage, openStage } from '../support/window/open-stage.ts';

import { type Comparison, compare, time } from './compare.ts';
import { STORY_FILES, toScene } from './story-text.ts';

const START = 'game/scene/start.txt';
const LINES = 1_050;
const ROUNDS = 5;
/** A busy machine that draws in software needs half a minute for a jump. */
const SHOWN_TIMEOUT_MS = 180_000;
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360"><rect width="640" height="360"/></svg>';

/** Runs a measurement with the real engine in a real browser and one long scene. */
async function withStage<T>(measure: (opened: OpenStage, lines: string[]) => Promise<T>): Promise<T> {
  const browser: Browser = await launchBrowser();
  const pictures = STORY_FILES.filter((path) => path.endsWith('.webp')).map((path) => path.replace('.webp', '.svg'));
  const scene = toScene(1, LINES, 'end;').replaceAll('.webp', '.svg');
  const opened = await openStage(browser, {
    'game/config.txt': 'Game_name:Bench;\nGame_key:bench;\n',
    [START]: scene,
    ...Object.fromEntries(pictures.map((path) => [path, PICTURE])),
  });
  try {
    return await measure(opened, scene.split('\n'));
  } finally {
    await opened.close();
    await browser.close();
  }
}

/** Returns the first dialogue line without a condition at `line` or after it (1-based). */
function findDialogue(lines: readonly string[], line: number): number {
  return lines.findIndex((each, index) => index >= line - 1 && /^Kenji:/.test(each)) + 1;
}

/** Resolves when the engine shows the speaker's name; the text appears letter by letter. */
async function waitForSpeaker({ engine }: OpenStage, name: string): Promise<void> {
  // Searched anew in each frame: on a jump the engine replaces its text box, and a reload replaces the document.
  const shown = engine().locator('#textBoxMain [class*="showName"]', { hasText: name });
  await shown.first().waitFor({ state: 'attached', timeout: SHOWN_TIMEOUT_MS });
}

/** Measures the time from navigation to the engine's title with the walls and scripts of the stage, against the engine alone. */
export function benchStageReady(): Promise<Comparison> {
  return withStage(async (opened) => {
    const { directory } = await copyEngine();
    const bare = await serveBareEngine(directory, opened.game.root);
    const { url } = await opened.link.start();
    // Its own browser context, and no engine beside it that draws.
    await opened.page.goto('about:blank');
    const context = await (opened.page.context().browser() as Browser).newContext();
    const load = (address: string) => async () => {
      const page = await context.newPage();
      const milliseconds = await time(async () => {
        await page.goto(address, { waitUntil: 'commit' });
        await page
          .locator('[class*="Title_button_"]')
          .first()
          .waitFor({ state: 'attached', timeout: SHOWN_TIMEOUT_MS });
      });
      await page.close();
      return milliseconds;
    };
    try {
      return await compare({
        name: 'stage: ready',
        against: 'the engine alone',
        goal: { ratio: 1.15 },
        rounds: ROUNDS,
        ours: load(`${url}/?lang=en`),
        theirs: load(bare.url),
      });
    } finally {
      await context.close();
      await bare.close();
    }
  });
}

/** Measures the time from request to text on the stage: a jump to line 1,000 against one to line 10 of the same scene. */
export function benchStageJump(): Promise<Comparison> {
  return withStage(async (opened, lines) => {
    const [near, far, middle] = [10, 1_000, 500].map((line) => findDialogue(lines, line)) as [number, number, number];
    const named = lines
      .with(near - 1, 'Near:words;')
      .with(far - 1, 'Far:words;')
      .with(middle - 1, 'Middle:words;');
    await opened.game.put(START, named.join('\n'));
    const show = async (line: number, name: string) => {
      opened.stage.show({ path: START, line, source: 'saved' });
      await waitForSpeaker(opened, name);
    };
    const jump = (line: number, name: string) => async () => {
      // The stage is moved to another line first, so that each jump changes it.
      await show(middle, 'Middle');
      await opened.page.waitForTimeout(300);
      return time(() => show(line, name));
    };
    return compare({
      name: 'stage: jump to line 1,000',
      against: 'to line 10',
      goal: { ratio: 1.5 },
      rounds: ROUNDS,
      ours: jump(far, 'Far'),
      theirs: jump(near, 'Near'),
    });
  });
}

/**
 * Measures the time from a changed text to the stage, against the engine's part of it: from its jump to the text. The engine is not
 * sent jumps of the benchmark's own: the stage takes it back to its place.
 */
export function benchStageFollow(): Promise<Comparison> {
  return withStage(async (opened, lines) => {
    const at = findDialogue(lines, 200);
    let count = 100;
    let jumpedAt = 0;
    const { jump } = opened.link;
    opened.link.jump = (...jumped) => {
      jumpedAt = performance.now();
      return jump(...jumped);
    };
    opened.stage.show({ path: START, line: at, source: 'saved' });
    await waitForSpeaker(opened, 'Kenji');
    const follow = async (): Promise<{ whole: number; engine: number }> => {
      count += 1;
      // A user looks at the stage before typing; the engine is busy for a second after its text is there.
      await opened.page.waitForTimeout(1500);
      const startedAt = performance.now();
      opened.buffers.set(START, lines.with(at - 1, `Typed${count}:words;`).join('\n'));
      await waitForSpeaker(opened, `Typed${count}`);
      const endedAt = performance.now();
      return { whole: endedAt - startedAt, engine: endedAt - jumpedAt };
    };
    return compare({
      name: 'stage: a changed line',
      against: 'the engine’s part of it',
      goal: { ratio: 1, plusMs: 100 },
      rounds: 2 * ROUNDS,
      ours: async () => (await follow()).whole,
      theirs: async () => (await follow()).engine,
    });
  });
}

/** Measures a picture of the stage as the assistant gets it in a browser, against the browser's own of the same area. */
export function benchStagePicture(): Promise<Comparison> {
  return withStage(async (opened, lines) => {
    opened.stage.show({ path: START, line: findDialogue(lines, 100), source: 'saved' });
    await waitForSpeaker(opened, 'Kenji');
    const frame = opened.page.locator('iframe');
    return compare({
      name: 'stage: a picture for the assistant',
      against: 'the browser’s own screenshot',
      goal: { ratio: 1, plusMs: 300 },
      rounds: ROUNDS,
      ours: () =>
        time(async () => {
          if ((await opened.stage.takePicture()) === null) throw new Error('The stage gave no picture.');
        }),
      theirs: () => time(() => frame.screenshot({ type: 'jpeg' })),
    });
  });
}
