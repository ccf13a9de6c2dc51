import { z } from 'zod';
import { ToolChoice, ToolName } from './capability.ts';
import { Locale } from './text.ts';
import { UpdateFeed } from './updates.ts';

export const PROVIDER_IDS = [
  'deepseek',
  'qwen',
  'kimi',
  'glm',
  'anthropic',
  'openai',
  'google',
  'ollama',
  'lmstudio',
  'custom',
] as const;
export const ProviderId = z.enum(PROVIDER_IDS);
export type ProviderId = z.infer<typeof ProviderId>;

/** A service that can answer: fixed facts, the same for everyone. */
export const ProviderFacts = z.object({
  id: ProviderId,
  name: z.string(),
  /** Region id → base URL; empty for `custom`, whose URL she types. */
  regions: z.array(z.object({ id: z.enum(['cn', 'intl', 'local']), baseUrl: z.string() })),
  models: z.array(z.string()),
  needsKey: z.boolean(),
  /** Where to get a key. */
  keyPage: z.string().nullable(),
});
export type ProviderFacts = z.infer<typeof ProviderFacts>;

/** What she chose for one provider. Never holds a key. */
export const ProviderChoice = z.object({ baseUrl: z.string().max(500), model: z.string().max(200) });
export type ProviderChoice = z.infer<typeof ProviderChoice>;

export const Settings = z.object({
  /** Null: as the system says. */
  locale: Locale.nullable(),
  theme: z.enum(['auto', 'light', 'dark']),
  /** Null: no assistant chosen yet. */
  provider: ProviderId.nullable(),
  choices: z.partialRecord(ProviderId, ProviderChoice),
  editorFontSize: z.int().min(10).max(28),
  wordWrap: z.boolean(),
  autosave: z.boolean(),
  /** Beside each line: how many words it has; whether somebody speaks in it without a voice. */
  wordHints: z.boolean(),
  voiceHints: z.boolean(),
  stageFollowsCursor: z.boolean(),
  stageMuted: z.boolean(),
  /**
   * What the assistant may do, by tool; nothing for a tool leaves it to what is recommended. Tools this version does not
   * know keep their place, and a word it does not know means *ask*.
   */
  tools: z.record(ToolName, ToolChoice.catch('ask')),
  /** Whether commands, a browser and commits are on offer. */
  developerMode: z.boolean(),
  /** Whether the desktop app looks for new versions by itself. */
  checksForUpdates: z.boolean(),
  /** Where new versions come from; null: the project's release page. */
  updateFeed: UpdateFeed.nullable(),
  /** Desktop: report the end of a turn, a question or a failure while the window is in the background. */
  notifications: z.boolean(),
  /** Desktop: underline misspelt words in text fields. Off by default: on Windows and Linux Chromium downloads a dictionary. */
  spellCheck: z.boolean(),
});
export type Settings = z.infer<typeof Settings>;

export const DEFAULT_SETTINGS: Settings = {
  locale: null,
  theme: 'auto',
  provider: null,
  choices: {},
  editorFontSize: 14,
  wordWrap: true,
  autosave: true,
  wordHints: false,
  voiceHints: false,
  stageFollowsCursor: true,
  stageMuted: false,
  tools: {},
  developerMode: false,
  checksForUpdates: true,
  updateFeed: null,
  notifications: true,
  spellCheck: false,
};

/** Which providers hold a key, and where keys are kept. The keys themselves never leave the main process. */
export const KeyState = z.object({
  /** With a key that was entered for the address that is chosen now. */
  stored: z.array(ProviderId),
  /** With a key that was entered for another address: it is not sent, and has to be entered again. */
  elsewhere: z.array(ProviderId),
  /** `keychain`: kept by the operating system. `memory`: for this run only, for there is no keychain here. */
  place: z.enum(['keychain', 'memory']),
});
export type KeyState = z.infer<typeof KeyState>;

/** What a connection test found; `problem` names the sentence (`errors:model.<problem>`). */
export const ConnectionResult = z.discriminatedUnion('status', [
  z.object({ status: z.literal('ok'), model: z.string(), milliseconds: z.number() }),
  z.object({ status: z.literal('failed'), problem: z.string(), detail: z.string() }),
]);
export type ConnectionResult = z.infer<typeof ConnectionResult>;
