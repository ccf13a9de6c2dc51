import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { reviewOf } from './user-actions.ts';

const NAME = '在很久以前的一个下着雨的夜晚我们走过了那座桥然后再也没有回头看过一眼直到天亮之后的早晨';

/** Expects that a part of the window ends neither before nor behind another one that it is in. */
async function expectInside(part: Locator, whole: Locator): Promise<void> {
  await expect
    .poll(async () => {
      const [inner, outer] = await Promise.all([part.boundingBox(), whole.boundingBox()]);
      if (!inner || !outer) return 'not drawn';
      return inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width;
    })
    .toBe(true);
}

async function openScene(page: Page, projectDir: string): Promise<void> {
  await writeFile(join(projectDir, 'game', 'scene', `${NAME}.txt`), ':雨停了;\n');
  await page
    .getByRole('list', { name: 'Scenes' })
    .getByRole('button', { name: `${NAME}.txt`, exact: true })
    .click();
}

test('shows the tab of a scene with a long name completely, with its button to close it', async ({ app }) => {
  const { page, projectDir } = app;
  await openScene(page, projectDir);
  const tabs = page.getByRole('navigation', { name: 'Open files' });
  const strip = tabs.getByRole('presentation');
  const tab = tabs.getByRole('button', { name: `${NAME}.txt`, exact: true });
  await expect(tab).toHaveAttribute('title', `game/scene/${NAME}.txt`);
  for (const width of [1280, 900]) {
    await page.setViewportSize({ width, height: 700 });
    await expectInside(tab, strip);
    await expectInside(tabs.getByRole('button', { name: `Close ${NAME}.txt` }), strip);
  }
});

test('shows the tab of a renamed scene with a long name completely in the review', async ({ app }) => {
  const { page, projectDir } = app;
  await openScene(page, projectDir);
  await page.keyboard.press('Control+1');
  await page
    .getByRole('list', { name: 'Scenes' })
    .getByRole('button', { name: `${NAME}.txt`, exact: true })
    .click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  await page.getByRole('textbox', { name: 'New name' }).fill(`后来${NAME.slice(2)}`);
  await page.keyboard.press('Enter');
  const files = reviewOf(page).getByRole('navigation', { name: 'Files of the proposal' });
  const strip = files.getByRole('presentation');
  await expect(files.getByRole('checkbox')).toHaveCount(2);
  for (const width of [1280, 900]) {
    await page.setViewportSize({ width, height: 700 });
    await expectInside(files.locator('[aria-current]'), strip);
    await expectInside(files.getByRole('checkbox').last(), strip);
  }
});

test('keeps the end of the status bar in the window beside a long name', async ({ app }) => {
  const { page, projectDir } = app;
  await openScene(page, projectDir);
  const status = page.getByRole('region', { name: 'Status' });
  await page.getByTestId('code').getByText('雨停了').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(':天亮了;');
  const restore = status.getByRole('button', { name: 'Restore…' });
  const place = status.getByText(`${NAME}.txt, line 2`, { exact: true });
  for (const width of [1280, 900]) {
    await page.setViewportSize({ width, height: 700 });
    await expectInside(restore, status);
    await expectInside(place, status);
    expect(await place.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  }
});
