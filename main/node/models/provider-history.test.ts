import { describe, expect, it } from 'vitest';
import type { ModelIdentity, ModelMessage } from '../../core/ports/models.ts';
import { toProviderHistory } from './provider-history.ts';

const CLAUDE: ModelIdentity = { provider: 'anthropic', model: 'claude-sonnet-5-5' };
const GEMINI: ModelIdentity = { provider: 'google', model: 'gemini-3.8-flash' };
const KIMI: ModelIdentity = { provider: 'kimi', model: 'kimi-k3' };
const GATEWAY: ModelIdentity = { provider: 'custom', model: 'moonshotai/kimi-k2.6' };
const PLAIN: ModelIdentity = { provider: 'custom', model: 'story' };

const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'read_file', input: {} };
const text = { type: 'text', text: 'I look.' };
const thought = { type: 'reasoning', text: 'Hm.' };
const signed = (name: string) => ({ ...thought, providerOptions: { [name]: { signature: 'secret' } } });

function step(by: ModelIdentity | undefined, ...content: unknown[]): ModelMessage {
  return { role: 'assistant', content, ...(by && { by }) };
}

function toParts(message: ModelMessage, to: ModelIdentity): unknown[] {
  const [adapted] = toProviderHistory([message], to);
  expect(adapted).not.toHaveProperty('by');
  return adapted?.content as unknown[];
}

const placeholder = { type: 'reasoning', text: expect.stringMatching(/\S/) };

describe('a step of the same model', () => {
  it('stays unchanged, with its signatures', () => {
    const parts = [signed('anthropic'), text, call];
    expect(toParts(step(CLAUDE, ...parts), CLAUDE)).toEqual(parts);
    expect(toParts(step(KIMI, thought, call), KIMI)).toEqual([thought, call]);
  });

  it('gets a placeholder for thinking that a call must have', () => {
    expect(toParts(step(KIMI, text, call), KIMI)).toEqual([placeholder, text, call]);
    expect(toParts(step(GATEWAY, call), GATEWAY)).toEqual([placeholder, call]);
    expect(toParts(step(KIMI, text), KIMI)).toEqual([text]);
    expect(toParts(step(PLAIN, call), PLAIN)).toEqual([call]);
  });
});

describe('a step of another model', () => {
  it('loses what its provider signed', () => {
    const signedCall = { ...call, providerOptions: { google: { thoughtSignature: 'secret' } } };
    for (const to of [CLAUDE, PLAIN, { ...GEMINI, model: 'gemini-pro-latest' }]) {
      expect(toParts(step(GEMINI, signed('google'), text, signedCall), to), to.model).toEqual([text, call]);
    }
    const other = { ...CLAUDE, model: 'claude-opus-5-5' };
    expect(toParts(step(CLAUDE, signed('anthropic'), text), other)).toEqual([text]);
  });

  it('gets a placeholder in place of signed thinking where a call must have some', () => {
    const parts = toParts(step(CLAUDE, signed('anthropic'), call), KIMI);
    expect(parts).toEqual([placeholder, call]);
    expect(JSON.stringify(parts)).not.toMatch(/secret|Hm/);
    const foreign = toParts(step({ provider: 'openai', model: 'gpt-6-luna' }, thought, call), KIMI);
    expect(foreign).toEqual([{ type: 'reasoning', text: expect.not.stringContaining('Hm') }, call]);
  });

  it('keeps thinking as plain text only where it is demanded', () => {
    const deepseek: ModelIdentity = { provider: 'deepseek', model: 'deepseek-v4-pro' };
    expect(toParts(step(deepseek, thought, call), KIMI)).toEqual([thought, call]);
    expect(toParts(step(deepseek, thought, call), PLAIN)).toEqual([call]);
    expect(toParts(step(deepseek, thought, call), CLAUDE)).toEqual([call]);
  });

  it('does not become empty', () => {
    expect(toParts(step(CLAUDE, signed('anthropic')), PLAIN)).toHaveLength(1);
  });
});

describe('a step of an older log, which names no author', () => {
  it('goes unchanged to the provider that signed it, and unsigned to the others', () => {
    const parts = [signed('anthropic'), call];
    expect(toParts(step(undefined, ...parts), CLAUDE)).toEqual(parts);
    expect(toParts(step(undefined, ...parts), PLAIN)).toEqual([call]);
    expect(toParts(step(undefined, ...parts), KIMI)).toEqual([placeholder, call]);
    expect(toParts(step(undefined, thought, call), PLAIN)).toEqual([thought, call]);
  });
});
