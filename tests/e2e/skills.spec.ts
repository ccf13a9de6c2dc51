import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFakeModelServer } from '../support/services/fake-model-server.ts';
import { ask, CANARY, chatOf, connectModel, expect, logOf, test } from './user-actions.ts';

const SKILL = '---\nname: Night rain\ndescription: Scenes in which it rains\n---\nShort lines. Sound before picture.\n';

test.use({ foldsStage: true });

test('asks before a skill of the game is used, and names it when it is read', async ({ app }) => {
  const { page, projectDir } = app;
  const service = await createFakeModelServer(
    (request) => {
      const answered = (request.body.messages ?? []).filter(({ role }) => role === 'tool').length;
      if (!JSON.stringify(request.body).includes('Night rain')) return { text: 'Pong.' };
      const [name, args] =
        answered === 0 ? ['read_skill', { name: 'Night rain' }] : ['attempt_completion', { result: 'It rains.' }];
      return { calls: [{ name, args }] };
    },
    { key: CANARY },
  );
  try {
    await connectModel(page, service.url);
    const folder = join(projectDir, '.webgal_agent', 'skills');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'rain.md'), SKILL);
    const sent = service.requests.length;

    await ask(page, 'Write a scene in the rain');
    const card = chatOf(page).locator('[data-consent="pending"]');
    await expect(card).toContainText('Let the assistant use recipes that came with this game: Night rain');
    await expect(card).toContainText('Sound before picture.');
    expect(service.requests).toHaveLength(sent);
    await card.getByRole('button', { name: 'Use them' }).click();

    await expect(logOf(page).getByText('Follow the recipe Night rain')).toBeVisible();
    await expect(logOf(page).getByText('It rains.')).toBeVisible();
    await expect(chatOf(page).getByText('You allowed these texts')).toBeVisible();

    await ask(page, 'Write another one');
    await expect(logOf(page).getByText('It rains.')).toHaveCount(2);
    await expect(card).toHaveCount(0);
  } finally {
    await service.close();
  }
});
