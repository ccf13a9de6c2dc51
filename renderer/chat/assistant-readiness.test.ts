import { expect, it } from 'vitest';
import { DEFAULT_SETTINGS, type ProviderFacts } from '../../shared/model/settings.ts';
import { toReadiness } from './assistant-readiness.ts';

const facts = (id: 'deepseek' | 'ollama', name: string, needsKey: boolean): ProviderFacts => ({
  id,
  name,
  regions: [],
  models: [],
  fastModel: null,
  needsKey,
  keyPage: null,
});
const providers = [facts('deepseek', 'DeepSeek', true), facts('ollama', 'Ollama', false)];

it.each([
  [null, [], { isReady: false, name: null }],
  ['deepseek', [], { isReady: false, name: 'DeepSeek' }],
  ['deepseek', ['deepseek'], { isReady: true, name: 'DeepSeek' }],
  ['ollama', [], { isReady: true, name: 'Ollama' }],
  ['kimi', ['kimi'], { isReady: false, name: null }],
] as const)('%s with keys %j', (provider, stored, expected) => {
  const keys = { stored: [...stored], elsewhere: [], place: 'memory' as const };
  expect(toReadiness({ ...DEFAULT_SETTINGS, provider }, providers, keys)).toEqual(expected);
});
