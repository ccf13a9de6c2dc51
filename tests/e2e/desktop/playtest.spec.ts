import { execFileSync } from 'node:child_process';
import { plantScript } from '../../support/attacks/hostile-game.ts';
import { expect, type RunningApp, test } from '../fixtures.ts';
import { withXdotool, xdotoolReason } from './with-xdotool.ts';

// Software rendering is slow, especially on a busy machine.
test.setTimeout(300_000);
test.use({ opensProject: true, foldsStage: true });

/** Names of the windows of this display. */
function windows(): string {
  try {
    const ids = execFileSync('xdotool', ['search', '--onlyvisible', '--name', '.']).toString().trim().split('\n');
    return ids.map((id) => execFileSync('xdotool', ['getwindowname', id]).toString().trim()).join('\n');
  } catch {
    // A window has closed meanwhile.
    return '';
  }
}

/** Plays all routes of a game with a script that runs in the playtest alone. */
async function playAll({ page, projectDir }: RunningApp, script: string): Promise<void> {
  await plantScript(projectDir, `if (globalThis.__playtest) { ${script} }`);
  await page.getByRole('button', { name: 'Playtest', exact: true }).click();
  await page.getByRole('button', { name: 'Play all routes' }).click();
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
}

withXdotool(`shows no dialog of a game that is played without a window${xdotoolReason}`, async ({ app }) => {
  const { page } = app;
  const begin = `addEventListener('click', () => { print(); alert(1); open('about:blank'); document.title = 'printed'; }, { capture: true, once: true });`;
  await playAll(app, begin);
  const seen = new Set<string>();
  await expect(async () => {
    for (const name of windows().split('\n')) seen.add(name);
    await expect(page.getByRole('button', { name: 'Play all routes' })).toBeVisible({ timeout: 200 });
  }).toPass({ timeout: 120_000, intervals: [200] });
  expect([...seen].filter((name) => /print/i.test(name))).toEqual([]);
  expect([...seen].join()).toContain('WebGAL Agent');
});
