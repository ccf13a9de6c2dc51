import type { ModelFacts, ModelLimits, OwnLimits, ProviderFacts, ProviderId } from './settings.ts';

/** Facts about one suggested model. Limits are in tokens; null where the model's server decides. `sees`: null if unknown. */
function model(
  id: string,
  window: number | null,
  output: number | null,
  date: string,
  sees: boolean | null,
): ModelFacts {
  return { id, window, output, date, sees };
}

/**
 * The supported providers, in the order of the settings view. `models` are suggestions, of which the first is the
 * default; the user may enter any other. A key of one region does not work in another, hence the regions. Limits are from
 * the providers' documentation and models.dev; so is which model sees pictures. Local servers choose the window themselves and have no fast model, because
 * loading a second one would replace the first in memory.
 */
export const PROVIDERS: readonly ProviderFacts[] = [
  {
    id: 'deepseek',
    name: 'DeepSeek',
    regions: [{ id: 'cn', baseUrl: 'https://api.deepseek.com' }],
    models: [
      model('deepseek-v4-pro', 1_000_000, 384_000, '2026-06', false),
      model('deepseek-v4-flash', 1_000_000, 384_000, '2026-09', true),
      model('deepseek-flash', 1_000_000, 384_000, '2026-09', true),
    ],
    fastModel: 'deepseek-flash',
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
    models: [
      model('qwen3.7-max', 1_000_000, 65_536, '2026-05', null),
      model('qwen-plus', 1_000_000, 32_768, '2026-07', null),
      model('qwen-flash', 1_000_000, 32_768, '2026-07', null),
    ],
    fastModel: 'qwen-flash',
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
    models: [
      model('kimi-k3', 1_048_576, 262_144, '2026-07', true),
      model('kimi-k2.6', 262_144, 262_144, '2026-07', true),
      model('kimi-k2.5', 262_144, 262_144, '2026-07', true),
    ],
    fastModel: 'kimi-k2.5',
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
    models: [
      model('glm-5.2', 1_000_000, 131_072, '2026-07', null),
      model('glm-5', 204_800, 131_072, '2026-07', false),
      model('glm-4.7', 204_800, 131_072, '2026-07', false),
      model('glm-4.7-flash', 200_000, 131_072, '2026-07', false),
    ],
    fastModel: 'glm-4.7-flash',
    needsKey: true,
    keyPage: 'https://open.bigmodel.cn/usercenter/apikeys',
  },
  {
    id: 'anthropic',
    name: 'Anthropic Claude',
    regions: [{ id: 'intl', baseUrl: 'https://api.anthropic.com/v1' }],
    models: [
      model('claude-sonnet-5-5', 1_000_000, 128_000, '2026-10', true),
      model('claude-opus-5-5', 1_000_000, 128_000, '2026-10', true),
      model('claude-haiku-5-5', 1_000_000, 128_000, '2026-10', true),
    ],
    fastModel: 'claude-haiku-5-5',
    needsKey: true,
    keyPage: 'https://console.anthropic.com/settings/keys',
  },
  {
    id: 'openai',
    name: 'OpenAI',
    regions: [{ id: 'intl', baseUrl: 'https://api.openai.com/v1' }],
    models: [
      model('gpt-6-astra', 1_050_000, 128_000, '2026-09', true),
      model('gpt-6-luna', 1_050_000, 128_000, '2026-09', true),
      model('gpt-5.4', 1_050_000, 128_000, '2026-07', true),
    ],
    fastModel: 'gpt-6-luna',
    needsKey: true,
    keyPage: 'https://platform.openai.com/api-keys',
  },
  {
    id: 'google',
    name: 'Google Gemini',
    regions: [{ id: 'intl', baseUrl: 'https://generativelanguage.googleapis.com/v1beta' }],
    models: [
      model('gemini-3.8-flash', 1_048_576, 65_536, '2026-09', true),
      model('gemini-pro-latest', 1_048_576, 65_536, '2026-09', true),
      model('gemini-flash-latest', 1_048_576, 65_536, '2026-07', true),
    ],
    fastModel: 'gemini-flash-latest',
    needsKey: true,
    keyPage: 'https://aistudio.google.com/apikey',
  },
  {
    id: 'ollama',
    name: 'Ollama',
    regions: [{ id: 'local', baseUrl: 'http://127.0.0.1:11434/v1' }],
    models: [
      model('qwen3:14b', null, null, '2026-11', false),
      model('qwen3:8b', null, null, '2026-11', false),
      model('gpt-oss:20b', null, null, '2026-11', false),
    ],
    fastModel: null,
    needsKey: false,
    keyPage: null,
  },
  {
    id: 'lmstudio',
    name: 'LM Studio',
    regions: [{ id: 'local', baseUrl: 'http://127.0.0.1:1234/v1' }],
    models: [
      model('qwen/qwen3-14b', null, null, '2026-11', false),
      model('openai/gpt-oss-20b', null, null, '2026-11', false),
    ],
    fastModel: null,
    needsKey: false,
    keyPage: null,
  },
  {
    id: 'custom',
    name: 'OpenAI-compatible',
    regions: [],
    models: [],
    fastModel: null,
    needsKey: false,
    keyPage: null,
  },
];

/** The facts of one provider. Throws for an id that is not in the catalogue, which the type excludes. */
export function toProviderFacts(id: ProviderId): ProviderFacts {
  const facts = PROVIDERS.find((provider) => provider.id === id);
  if (!facts) throw new Error(`No facts about the provider ${id}.`);
  return facts;
}

/** Window and output limit that are assumed for a model without facts: few current models have less. */
const UNKNOWN_LIMITS = { window: 64_000, output: 8_000 } as const;

/** Returns whether a model sees pictures: the user's own choice, else what its service refused, else the catalogue's; null: unknown. */
export function toModelSight(
  provider: ProviderId,
  model: string,
  overrides: Readonly<Record<string, Pick<OwnLimits, 'sees' | 'refusesPictures'>>> = {},
): boolean | null {
  const facts = PROVIDERS.find(({ id }) => id === provider)?.models.find(({ id }) => id === model);
  const own = overrides[model];
  return own?.sees ?? (own?.refusesPictures === true ? false : (facts?.sees ?? null));
}

/**
 * Returns the limits of a model in tokens: the user's own figures, else those of the catalogue, else careful assumptions.
 * `isKnown`: the window is not an assumption. The output never exceeds half of the window, which the request must fit into as well.
 */
export function toModelLimits(
  provider: ProviderId,
  model: string,
  overrides: Readonly<Record<string, { window?: number | undefined; output?: number | undefined }>> = {},
): ModelLimits {
  const facts = PROVIDERS.find(({ id }) => id === provider)?.models.find(({ id }) => id === model);
  const own = overrides[model];
  const known = own?.window ?? facts?.window ?? null;
  const window = known ?? UNKNOWN_LIMITS.window;
  const output = own?.output ?? facts?.output ?? UNKNOWN_LIMITS.output;
  return { window, output: Math.min(output, Math.floor(window / 2)), isKnown: known !== null };
}
