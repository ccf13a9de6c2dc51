import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type ChatKitOptions,
  createChatKit,
  createMemorySessions,
  createScriptedModel,
  step,
} from '../../../../tests/support/chat-kit.ts';
import type { ToolRunner } from '../../services.ts';

/** A runner whose only tool asks before each call and returns the answer. */
const asking: ToolRunner = {
  list: () => [],
  displayOf: () => 'other',
  describe: () => ({ summary: { 'zh-CN': '运行', en: 'Run it' }, paths: [] }),
  async run({ confirm, signal }) {
    const text = { 'zh-CN': '运行', en: 'Run it' };
    const scope = { tool: 'run', paths: [], why: 'command', canAlways: true, questions: 1 } as const;
    const agreed = await confirm?.({
      tool: 'run',
      title: text,
      summary: text,
      scope,
      detail: 'vite build',
      signal,
    }).catch(() => null);
    const error = { code: 'E_POLICY_VIOLATION', message: 'no', recoverable: true, reason: 'tool.declined' } as const;
    return { ok: agreed === true, value: { agreed }, milliseconds: 0, ...(agreed !== true && { error }) };
  },
};

const start = (options: Partial<ChatKitOptions> = {}) =>
  createChatKit({
    model: createScriptedModel([step('', ['run', {}]), step('好了。')]),
    tools: () => asking,
    ...options,
  });

async function untilAsked(kit: Awaited<ReturnType<typeof start>>): Promise<string> {
  await expect.poll(() => kit.chat.state()?.phase).toBe('consent');
  const [card] = kit.items('consent').filter(({ state }) => state === 'pending');
  if (!card) throw new Error('no question was asked');
  return card.id;
}

afterEach(() => {
  vi.useRealTimers();
});

describe('a step that needs consent', () => {
  it.each([
    ['once', true, []],
    ['always', true, ['run']],
    ['no', false, []],
  ] as const)('waits as a card for the answer %s', async (answer, ran, allowed) => {
    const kit = await start();
    await kit.chat.send({ text: 'x', mode: 'act' });
    const id = await untilAsked(kit);
    expect(kit.items('consent')).toEqual([
      expect.objectContaining({ state: 'pending', tool: 'run', why: 'command', detail: 'vite build', canAlways: true }),
    ]);
    await kit.chat.consent(id, answer);
    await kit.settled();
    expect(kit.items('consent')).toMatchObject([{ state: answer }]);
    expect(kit.items('tool')).toMatchObject([{ state: ran ? 'done' : 'refused' }]);
    expect(kit.allowed).toEqual(allowed);
    await expect(kit.chat.consent(id, 'once')).rejects.toMatchObject({ reason: 'chat.consentGone' });
  });

  it('ends without an answer when the turn is stopped', async () => {
    const kit = await start();
    await kit.chat.send({ text: 'x', mode: 'act' });
    const id = await untilAsked(kit);
    await kit.chat.stop();
    await kit.settled();
    expect([kit.items('consent')[0]?.state, kit.chat.state()?.phase]).toEqual(['ended', 'idle']);
    expect(kit.items('tool').map(({ state }) => state)).toEqual(['refused']);
    await expect(kit.chat.consent(id, 'once')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });

  it('does not count the wait for an answer against the time limit of the turn', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const kit = await start({ limits: { milliseconds: 60_000 } });
    await kit.chat.send({ text: 'x', mode: 'act' });
    const id = await untilAsked(kit);
    await vi.advanceTimersByTimeAsync(120_000);
    await kit.chat.consent(id, 'once');
    await expect.poll(() => kit.chat.state()?.phase).toBe('idle');
    expect(kit.items('end')).toMatchObject([{ reason: 'done' }]);
  });

  it('is denied when the app was restarted before the answer', async () => {
    const kit = await start();
    await kit.chat.send({ text: 'x', mode: 'act' });
    await untilAsked(kit);
    const again = await start({ sessions: createMemorySessions(Object.fromEntries(kit.sessions.lines)), ids: 'b' });
    expect([again.items('consent')[0]?.state, again.items('end')[0]?.reason]).toEqual(['ended', 'interrupted']);
    expect(again.items('tool').map(({ state }) => state)).toEqual(['refused']);
    await kit.chat.stop();
  });
});
