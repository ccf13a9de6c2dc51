import { afterEach, expect, it } from 'vitest';
import { copyEngine } from '../../scripts/copy-engine.ts';
import { createProjectFolder, type ProjectFolder } from '../../tests/support/games/project-folder.ts';
import { createToolBench } from '../../tests/support/tool-bench.ts';
import { findBrowser } from '../../tests/support/window/browser.ts';
import { createOverlay } from '../core/proposal/overlay.ts';
import { createPlaytestPorts } from '../node/playtest/playtest-ports.ts';
import { createSystemClock } from '../node/system-clock.ts';
import { playtestStory } from './playtest-story.ts';

const START = 'game/scene/start.txt';
const CONFIG = 'Game_name:x;\nGame_key:x;\nDefault_Language:en;\n';
const TIMEOUT_MS = 90_000;
let game: ProjectFolder;

afterEach(() => game.dispose());

async function createBench(
  files: Record<string, string>,
  { drafts = new Map<string, string>(), hasBrowser = true } = {},
) {
  game = await createProjectFolder({ 'game/config.txt': CONFIG, ...files });
  const { directory } = await copyEngine();
  const engine = createPlaytestPorts({
    root: game.root,
    engineDirectory: directory,
    environment: { WEBGAL_AGENT_BROWSER: `${game.root}/none` },
    locale: () => 'en',
    ...(hasBrowser && { program: await findBrowser() }),
  });
  const overlay = createOverlay(game.reader);
  for (const [path, text] of drafts) await overlay.set(path, text);
  const playtest = { engine, texts: overlay.texts };
  return createToolBench([playtestStory], { reader: overlay.reader, clock: createSystemClock(), playtest });
}

it('plays the drafts of the assistant and its tests', { timeout: TIMEOUT_MS }, async () => {
  const drafts = new Map([
    [START, 'A:new;\nchoose:Go:a|Stay:b;\nlabel:a;\nend;\nlabel:b;\nA:no end;'],
    [
      'game/story-tests.json',
      JSON.stringify({ tests: [{ name: 'goes', choose: ['Go'], expect: { ending: 'start' } }] }),
    ],
  ]);
  const bench = await createBench({ [START]: 'A:old;\nend;' }, { drafts });
  expect(await bench.value('playtest_story', {})).toMatchObject({
    status: 'complete',
    errors: 1,
    findings: [{ code: 'dead-end', path: START, line: 6, choices: ['Stay'] }],
    endings: [{ path: START, line: 4, choices: ['Go'] }],
    neverPlayed: [],
    tests: [{ name: 'goes', passed: true }],
  });
  expect(await game.text(START)).toBe('A:old;\nend;');
});

it('says what to install where no browser is found', { timeout: TIMEOUT_MS }, async () => {
  const bench = await createBench({ [START]: 'end;' }, { hasBrowser: false });
  const { error } = await bench.call('playtest_story', {});
  expect([error?.code, error?.hint]).toEqual(['E_UNSUPPORTED', expect.stringContaining('Google Chrome')]);
});
