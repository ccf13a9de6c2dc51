import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { STORY_SCENE, storyScript } from '../support/games/story-script.ts';
import { createFakeModelServer, type FakeModelServer } from '../support/services/fake-model-server.ts';
import { callApp } from '../support/window/call-app.ts';
import { test as base } from './fixtures.ts';

/** The key, which may occur only in the request to the service. */
export const CANARY = 'sk-canary-7f3a91d2c4b8e605';

/** Adds a scripted model service on loopback. */
export const test = base.extend<{ service: FakeModelServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies from this pattern
  service: async ({}, use) => {
    const service = await createFakeModelServer(storyScript, { key: CANARY });
    await use(service);
    await service.close();
  },
});

export { expect };

/** The service's provider in the settings: *Another service*. */
const PROVIDER = 'custom';

/**
 * Connects the service with the calls that the settings page makes, for stories that are about something else: typing takes
 * several seconds of each story in a window drawn by software. Resolves when the page knows the model.
 */
export async function connectModel(page: Page, url: string, key = CANARY): Promise<void> {
  const offer = page.getByRole('button', { name: 'Connect a model' });
  // The page has a session once it shows what the app answered.
  await offer.waitFor();
  await callApp(page, 'settings.choose', { provider: PROVIDER, choice: { baseUrl: url, model: 'story-1' } });
  await callApp(page, 'settings.setKey', { provider: PROVIDER, key });
  await callApp(page, 'settings.update', { provider: PROVIDER });
  await expect(offer).toHaveCount(0);
}

/** Connects the service through the settings: address, model, key. */
export async function connectInSettings(page: Page, url: string, key = CANARY): Promise<void> {
  await page.getByRole('button', { name: 'Connect a model' }).click();
  const settings = page.getByRole('region', { name: /Settings/ });
  await settings.getByText('Another service').click();
  await settings.getByLabel('Service address').fill(url);
  await settings.getByRole('combobox', { name: 'Model', exact: true }).fill('story-1');
  await settings.getByLabel('Key', { exact: true }).fill(key);
  await settings.getByRole('button', { name: 'Keep the key' }).click();
  await expect(settings.getByText('The key is kept.')).toBeVisible();
  await settings.getByRole('button', { name: 'Test the connection' }).click();
}

export const chatOf = (page: Page): Locator => page.getByRole('region', { name: 'Assistant', exact: true });
/** The conversation without the live region for screen readers. */
export const logOf = (page: Page): Locator => page.getByRole('region', { name: 'Conversation with the assistant' });
export const reviewOf = (page: Page): Locator => page.getByRole('region', { name: 'Work · Review' });

/** Types a message and sends it with the Enter key. */
export async function ask(page: Page, text: string, mode: 'Plan' | 'Write' = 'Write'): Promise<void> {
  const chat = chatOf(page);
  await chat.getByText(mode, { exact: true }).click();
  await chat.getByRole('textbox', { name: 'Message to the assistant' }).fill(text);
  await page.keyboard.press('Enter');
}

/** Asks for an edit and waits for the review. */
export async function askForProposal(page: Page, text = 'Add a line about the rain'): Promise<void> {
  await ask(page, text);
  await expect(chatOf(page).getByText('Proposal: 1 file')).toBeVisible();
}

/** Opens a scene from the list beside the assets. `name`: without `.txt`. */
export async function openScene(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+3');
  await page.locator('.mantine-SegmentedControl-label').filter({ hasText: 'Scenes' }).click();
  await page
    .getByRole('list', { name: 'Scenes' })
    .getByRole('button', { name: `${name}.txt`, exact: true })
    .click();
  await expect(page.getByRole('button', { name: `${name}.txt`, exact: true })).toHaveAttribute('aria-current', 'page');
}

export const readScene = (projectDir: string, path = STORY_SCENE): Promise<string> =>
  readFile(join(projectDir, path), 'utf8');
