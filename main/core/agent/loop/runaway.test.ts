import { describe, expect, it } from 'vitest';
import { createChatKit, createScriptedModel, type ScriptStep, step } from '../../../../tests/support/chat-kit.ts';
import type { ModelEvent } from '../../ports/models.ts';

const PIECE = 'rain '.repeat(20);

/** An endless synchronous stream of the same text. */
function endless(onEnd: () => void = () => undefined): ScriptStep {
  return async function* () {
    try {
      for (;;) yield { kind: 'text', text: PIECE } satisfies ModelEvent;
    } finally {
      onEnd();
    }
  };
}

describe('an answer without an end', () => {
  it('is ended with a notice, and its text is stored once', async () => {
    let isEnded = false;
    const model = createScriptedModel([
      endless(() => {
        isEnded = true;
      }),
    ]);
    const kit = await createChatKit({ model, limits: { answer: 50_000 } });
    await kit.chat.send({ text: 'Go', mode: 'act' });
    await kit.settled();
    expect(kit.items('end')).toMatchObject([{ reason: 'error', error: { reason: 'model.endless' } }]);
    const [said] = kit.items('assistant');
    expect(said?.text.length).toBeGreaterThan(49_000);
    expect(said?.text.length).toBeLessThanOrEqual(50_000);
    expect(isEnded).toBe(true);
    expect(model.requests).toHaveLength(1);
  });

  it('is logged in increments, so that the log grows linearly', async () => {
    const slow: ScriptStep = async function* () {
      for (let count = 0; count < 200; count += 1) {
        kit.clock.move(2500);
        yield { kind: 'text', text: `${count} ${PIECE}` };
      }
      yield* step('x').slice(-1);
    };
    const model = createScriptedModel([slow]);
    const kit = await createChatKit({ model });
    await kit.chat.send({ text: 'Go', mode: 'act' });
    await kit.settled();
    const lines = [...kit.sessions.lines.values()][0] ?? [];
    const pieces = lines.filter((line) => line.includes('assistant.piece'));
    expect(pieces).toHaveLength(200);
    expect(pieces.join('').length).toBeLessThan(200 * (PIECE.length + 200));
  });

  it('is complete after a restart when it was interrupted', async () => {
    const slow: ScriptStep = async function* () {
      for (const text of ['Once ', 'upon ', 'a time']) {
        kit.clock.move(2500);
        yield { kind: 'text', text };
      }
      yield { kind: 'error', problem: 'cutOff', detail: '', retryable: false };
    };
    const model = createScriptedModel([slow, step('ok')]);
    const kit = await createChatKit({ model });
    await kit.chat.send({ text: 'Go', mode: 'act' });
    await kit.settled();
    const again = await createChatKit({ sessions: kit.sessions, model, ids: 'b' });
    expect(again.items('assistant')).toMatchObject([{ text: 'Once upon a time', streaming: false }]);
    await again.chat.send({ text: 'More', mode: 'act' });
    await again.settled();
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('Once upon a time\\n[broken off here]');
  });

  it('can be stopped', async () => {
    const model = createScriptedModel([endless()]);
    const kit = await createChatKit({ model, limits: { answer: Number.MAX_SAFE_INTEGER } });
    await kit.chat.send({ text: 'Go', mode: 'act' });
    // A click is a separate task of the event loop.
    await new Promise((resolve) => setTimeout(resolve, 5));
    await kit.chat.stop();
    expect(kit.items('end')).toMatchObject([{ reason: 'stopped' }]);
  });
});

describe('a step of very many calls', () => {
  const paths = Array.from({ length: 60 }, (_, index) => `game/scene/${index}.txt`);
  const calls = paths.map((path): [string, unknown] => ['write_to_file', { path, content: 'hi;\n' }]);

  it('runs calls up to a limit and tells the model', async () => {
    const model = createScriptedModel([step('', ...calls), step('done')]);
    const kit = await createChatKit({ model, limits: { calls: 20 } });
    await kit.chat.send({ text: 'Go', mode: 'act' });
    await kit.settled();
    expect(kit.proposals.current()?.files).toHaveLength(20);
    const sent = model.requests[1]?.messages ?? [];
    expect(JSON.stringify(sent)).toContain('40 more calls of this step were NOT carried out');
    expect(sent.find(({ role }) => role === 'tool')?.content).toHaveLength(20);
  });

  it('sends each draft of a step to pages about once', async () => {
    const model = createScriptedModel([step('', ...calls), step('done')]);
    const kit = await createChatKit({ model });
    await kit.chat.send({ text: 'Go', mode: 'act' });
    await kit.settled();
    const whole = kit.payloads('proposal.changed').flatMap(({ proposal }) => proposal?.files ?? []);
    const sent = [...whole, ...kit.payloads('proposal.updated').flatMap(({ files }) => files)];
    expect(new Set(sent.map(({ path }) => path)).size).toBe(60);
    expect(sent.length).toBeLessThan(60 * 2);
  });
});
