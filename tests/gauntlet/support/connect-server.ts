import { expect } from 'vitest';
import type { GauntletGame } from './open-game.ts';

/** Adds a server as the settings page does, and waits until its tools are there. */
export async function connectServer(game: GauntletGame, block: string): Promise<void> {
  const { added, refused } = await game.ask('providers.add', { text: block });
  expect(refused).toEqual([]);
  const [id = ''] = added;
  const row = async () => (await game.ask('providers.list', {})).providers.find((each) => each.id === id);
  await expect.poll(async () => (await row())?.status).toBe('unconfirmed');
  await game.ask('providers.agree', { id, shown: (await row())?.consent ?? '', role: 'editor' });
  await expect.poll(async () => (await row())?.offered, { timeout: 15_000 }).toBeGreaterThan(0);
}

/** Sends a message and allows each call that asks. */
export async function sendAndAllow(game: GauntletGame, text: string): Promise<void> {
  await game.send(text);
  const answered = new Set<string>();
  await expect
    .poll(
      async () => {
        const waiting = (await game.items('consent')).find(({ id, state }) => state === 'pending' && !answered.has(id));
        if (waiting !== undefined) {
          answered.add(waiting.id);
          await game.ask('chat.consent', { id: waiting.id, answer: 'once' });
        }
        return (await game.chat()).phase;
      },
      { timeout: 40_000 },
    )
    .toMatch(/idle|review/);
}
