import type { Page } from '@playwright/test';
import type { SoakApp } from './soak-app.ts';

const STEP_TIMEOUT_MS = 60_000;
/** Delay between two keys, like key repeat. */
const KEY_MS = 60;
/** Shortcut digits of the views; 1 is the text. */
const VIEWS = [2, 3, 4, 5, 6, 7];

/**
 * Performs some minutes of a user's work in seconds and ends in the initial state with the same texts: an accepted and undone
 * draft, typing, jumps, files, views, the history, conversations, and another game and back.
 */
export async function playRound(app: SoakApp, round: number): Promise<void> {
  const { page } = app;
  page.setDefaultTimeout(STEP_TIMEOUT_MS);
  await acceptDraft(app);
  await type(page);
  await jump(page);
  await openFiles(page);
  await openViews(page);
  await changeConversations(app, round);
  await changeGames(app);
  await page.keyboard.press('Control+1');
}

async function acceptDraft({ page, call }: SoakApp): Promise<void> {
  await call('chat.send', { text: 'Add a line about the rain', mode: 'act' });
  const chat = page.getByRole('region', { name: 'Assistant', exact: true });
  await chat.getByRole('button', { name: 'Accept all' }).click();
  await chat.getByText('Accepted and written to the game').last().waitFor();
  await chat.getByRole('button', { name: 'Go back' }).last().click();
  await chat.getByText('Accepted, then undone').last().waitFor();
}

async function type(page: Page): Promise<void> {
  await page.keyboard.press('Control+1');
  const code = page.getByTestId('code');
  await code.locator('.view-line').first().click();
  await page.keyboard.press('Control+Home');
  const words = '; typed by a soak';
  await page.keyboard.type(words, { delay: KEY_MS });
  await page.keyboard.press('Enter');
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Delete');
  await page.waitForTimeout(1000);
  await page.getByText('Saved', { exact: true }).waitFor();
}

/** Moves the cursor, which the stage follows. */
async function jump(page: Page): Promise<void> {
  for (let line = 0; line < 12; line += 1) {
    await page.keyboard.press('ArrowDown');
    await page.waitForTimeout(150);
  }
  await page.keyboard.press('Control+End');
  await page.waitForTimeout(400);
  await page.keyboard.press('Control+Home');
  await page.waitForTimeout(400);
}

async function openFiles(page: Page): Promise<void> {
  const tabs = page.getByRole('navigation', { name: 'Open files' });
  for (const name of ['bridge', 'bookshop']) {
    await page
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .first()
      .click();
    await page.waitForTimeout(500);
    await tabs.getByRole('button', { name: new RegExp(`^Close ${name}`) }).click();
  }
}

async function openViews(page: Page): Promise<void> {
  for (const view of VIEWS) {
    await page.keyboard.press(`Control+${view}`);
    await page.waitForTimeout(500);
    if (view !== 4) continue;
    const changes = page.getByRole('list', { name: 'Changes, newest first' });
    await changes.getByRole('button').first().click();
    await page.waitForTimeout(500);
  }
  await page.keyboard.press('Control+1');
}

/** Opens an earlier conversation and then a new one, so that the next round begins with an empty one. */
async function changeConversations({ call, page }: SoakApp, round: number): Promise<void> {
  const { sessions } = await call<{ sessions: { id: string }[] }>('chat.sessions', {});
  const earlier = sessions[1 + (round % 5)] ?? sessions[0];
  if (earlier) {
    await call('chat.open', { session: earlier.id });
    await page.waitForTimeout(500);
  }
  await call('chat.create', {});
}

/** Opens the app's own sample and returns to the game. */
async function changeGames({ call, page }: SoakApp): Promise<void> {
  const { project } = await call<{ project: { id: string } | null }>('project.current', {});
  await call('project.openSample', {});
  await page.getByTestId('code').locator('.view-line').first().waitFor();
  await page.waitForTimeout(1500);
  await call('project.open', { id: project?.id });
  await page.getByTestId('code').locator('.view-line').first().waitFor();
  await page.waitForTimeout(1500);
}
