import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose } from '../../main/compose.ts';
import { createWebHost } from '../../main/hosts/web/web-host.ts';
import { createFakeModelServer } from '../support/services/fake-model-server.ts';
import { type Comparison, compare } from './compare.ts';

const FIRST = '第一个字';

/** An app with a game, on a fake model whose stream begins with `FIRST`. */
export interface FirstTokenApp {
  home: string;
  /** Sends a message; resolves with the milliseconds until the first text is in the page's events, once the turn has ended. */
  send(): Promise<number>;
  ask(method: string, input: unknown): Promise<unknown>;
  dispose(): Promise<void>;
}

export function createFirstTokenModel() {
  return createFakeModelServer(() => ({ text: [FIRST, '，然后是其余的话。'], wait: 20 }));
}

export async function openFirstTokenApp(model: { url: string }): Promise<FirstTokenApp> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const scenes = join(folder, 'game', 'game', 'scene');
  await mkdir(scenes, { recursive: true });
  await writeFile(join(scenes, 'start.txt'), '雪乃:你好;\n');
  const { app, home, openFolder, dispose } = await compose({
    host: createWebHost(),
    resources: join(folder, 'resources'),
    environment: { WEBGAL_AGENT_HOME: join(folder, 'home'), WEBGAL_AGENT_KEYCHAIN: 'memory' },
  });
  const ask = async (method: string, input: unknown): Promise<unknown> => {
    const reply = await app.call(method, input);
    if (!reply.ok) throw new Error(`${method}: ${reply.error.message}`);
    return reply.value;
  };
  const opened = await openFolder(join(folder, 'game'));
  if (!opened.ok) throw new Error(opened.error.message);
  await ask('settings.choose', { provider: 'custom', choice: { baseUrl: model.url, model: 'fake' } });
  await ask('settings.update', { provider: 'custom' });
  app.begin();
  return {
    home,
    ask,
    async send() {
      await ask('chat.create', {});
      const startedAt = performance.now();
      const done = new Promise<number>((resolve) => {
        const off = app.on((_event, payload) => {
          if (!JSON.stringify(payload).includes(FIRST)) return;
          off();
          resolve(performance.now() - startedAt);
        });
      });
      const idle = new Promise<void>((resolve) => {
        const off = app.on((event, payload) => {
          if (event !== 'chat.updated' || (payload as { phase: string }).phase !== 'idle') return;
          off();
          resolve();
        });
      });
      await ask('chat.send', { text: '你好', mode: 'plan' });
      const milliseconds = await done;
      await idle;
      return milliseconds;
    },
    async dispose() {
      await dispose();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Measures the time from sending to the first text in the page's events, against a plain fetch of the same stream. */
export async function benchFirstToken(): Promise<Comparison> {
  const model = await createFirstTokenModel();
  const opened = await openFirstTokenApp(model);
  try {
    return await compare({
      name: 'first token',
      goal: { ratio: 1.1, plusMs: 5 },
      against: 'a bare fetch of the same stream',
      rounds: 40,
      ours: opened.send,
      async theirs() {
        const startedAt = performance.now();
        const response = await fetch(`${model.url}/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'fake', stream: true, messages: [{ role: 'user', content: '你好' }] }),
        });
        let milliseconds = 0;
        let text = '';
        const decoder = new TextDecoder();
        for await (const chunk of response.body ?? []) {
          text += decoder.decode(chunk as Uint8Array, { stream: true });
          if (milliseconds === 0 && text.includes(FIRST)) milliseconds = performance.now() - startedAt;
        }
        return milliseconds;
      },
    });
  } finally {
    await opened.dispose();
    await model.close();
  }
}
