import type { ProviderFacts, ProviderId } from './settings.ts';

/**
 * The supported providers, in the order of the settings view. `models` are suggestions, of which the first is the
 * default; the user may enter any other. A key of one region does not work in another, hence the regions.
 */
export const PROVIDERS: readonly ProviderFacts[] = [
  {
    id: 'deepseek',
    name: 'DeepSeek',
    regions: [{ id: 'cn', baseUrl: 'https://api.deepseek.com' }],
    models: ['deepseek-v4-pro', 'deepseek-v4-flash', 'deepseek-flash'],
    needsKey: true,
    keyPage: 'https://platform.deepseek.com/api_keys',
  },
  {
    id: 'qwen',
    name: 'Qwen',
    regions: [
      { id: 'cn', baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1' },
      { id: 'intl', baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1' },
    ],
    models: ['qwen3.7-max', 'qwen-plus', 'qwen-flash'],
    needsKey: true,
    keyPage: 'https://bailian.console.aliyun.com/?tab=model#/api-key',
  },
  {
    id: 'kimi',
    name: 'Kimi',
    regions: [
      { id: 'cn', baseUrl: 'https://api.moonshot.cn/v1' },
      { id: 'intl', baseUrl: 'https://api.moonshot.ai/v1' },
    ],
    models: ['kimi-k3', 'kimi-k2.6', 'kimi-k2.5'],
    needsKey: true,
    keyPage: 'https://platform.moonshot.cn/console/api-keys',
  },
  {
    id: 'glm',
    name: 'GLM',
    regions: [
      { id: 'cn', baseUrl: 'https://open.bigmodel.cn/api/paas/v4' },
      { id: 'intl', baseUrl: 'https://api.z.ai/api/paas/v4' },
    ],
    models: ['glm-5.2', 'glm-5', 'glm-4.7'],
    needsKey: true,
    keyPage: 'https://open.bigmodel.cn/usercenter/apikeys',
  },
  {
    id: 'anthropic',
    name: 'Anthropic Claude',
    regions: [{ id: 'intl', baseUrl: 'https://api.anthropic.com/v1' }],
    models: ['claude-sonnet-5-5', 'claude-opus-5-5', 'claude-haiku-5-5'],
    needsKey: true,
    keyPage: 'https://console.anthropic.com/settings/keys',
  },
  {
    id: 'openai',
    name: 'OpenAI',
    regions: [{ id: 'intl', baseUrl: 'https://api.openai.com/v1' }],
    models: ['gpt-6-astra', 'gpt-6-luna', 'gpt-5.4'],
    needsKey: true,
    keyPage: 'https://platform.openai.com/api-keys',
  },
  {
    id: 'google',
    name: 'Google Gemini',
    regions: [{ id: 'intl', baseUrl: 'https://generativelanguage.googleapis.com/v1beta' }],
    models: ['gemini-3.8-flash', 'gemini-pro-latest', 'gemini-flash-latest'],
    needsKey: true,
    keyPage: 'https://aistudio.google.com/apikey',
  },
  {
    id: 'ollama',
    name: 'Ollama',
    regions: [{ id: 'local', baseUrl: 'http://127.0.0.1:11434/v1' }],
    models: ['qwen3:14b', 'qwen3:8b', 'gpt-oss:20b'],
    needsKey: false,
    keyPage: null,
  },
  {
    id: 'lmstudio',
    name: 'LM Studio',
    regions: [{ id: 'local', baseUrl: 'http://127.0.0.1:1234/v1' }],
    models: ['qwen/qwen3-14b', 'openai/gpt-oss-20b'],
    needsKey: false,
    keyPage: null,
  },
  { id: 'custom', name: 'OpenAI-compatible', regions: [], models: [], needsKey: false, keyPage: null },
];

/** The facts of one provider. Throws for an id that is not in the catalogue, which the type excludes. */
export function toProviderFacts(id: ProviderId): ProviderFacts {
  const facts = PROVIDERS.find((provider) => provider.id === id);
  if (!facts) throw new Error(`No facts about the provider ${id}.`);
  return facts;
}
