import { z } from 'zod';
import { ToolChoice, ToolName } from './capability.ts';
import { Locale } from './local-text.ts';
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

/** Fixed facts about a provider. */
export const ProviderFacts = z.object({
  id: ProviderId,
  name: z.string(),
  /** Region id and base URL; empty for `custom`, whose URL the user enters. */
  regions: z.array(z.object({ id: z.enum(['cn', 'intl', 'local']), baseUrl: z.string() })),
  models: z.array(z.string()),
  needsKey: z.boolean(),
  /** Where to get a key. */
  keyPage: z.string().nullable(),
});
export type ProviderFacts = z.infer<typeof ProviderFacts>;

/** The user's choice for one provider. Never contains a key. */
export const ProviderChoice = z.object({ baseUrl: z.string().max(500), model: z.string().max(200) });
export type ProviderChoice = z.infer<typeof ProviderChoice>;

export const Settings = z.object({
  /** Null: the system's language. */
  locale: Locale.nullable(),
  theme: z.enum(['auto', 'light', 'dark']),
  /** Null: no assistant chosen yet. */
  provider: ProviderId.nullable(),
  choices: z.partialRecord(ProviderId, ProviderChoice),
  editorFontSize: z.int().min(10).max(28),
  wordWrap: z.boolean(),
  autosave: z.boolean(),
  /** Hints beside each line: its number of words; whether a spoken line has no voice file. */
  wordHints: z.boolean(),
  voiceHints: z.boolean(),
  stageFollowsCursor: z.boolean(),
  stageMuted: z.boolean(),
  /**
   * What the assistant may do, by tool; without an entry the recommended choice applies. Tools unknown to this version
   * are kept, and an unknown choice is read as *ask*.
   */
  tools: z.record(ToolName, ToolChoice.catch('ask')),
  /** Whether commands, a browser and commits are available. */
  developerMode: z.boolean(),
  /** Whether the desktop app checks for new versions automatically. */
  checksForUpdates: z.boolean(),
  /** The update feed; null: the project's release page. */
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

/** Which providers have a stored key, and where keys are stored. The keys themselves never leave the main process. */
export const KeyState = z.object({
  /** With a key entered for the current address. */
  stored: z.array(ProviderId),
  /** With a key entered for another address: it is not sent and has to be entered again. */
  elsewhere: z.array(ProviderId),
  /** `keychain`: stored by the operating system. `memory`: for this run only, because there is no keychain. */
  place: z.enum(['keychain', 'memory']),
});
export type KeyState = z.infer<typeof KeyState>;

/** Result of a connection test; `problem` names the message (`errors:model.<problem>`). */
export const ConnectionResult = z.discriminatedUnion('status', [
  z.object({ status: z.literal('ok'), model: z.string(), milliseconds: z.number() }),
  z.object({ status: z.literal('failed'), problem: z.string(), detail: z.string() }),
]);
export type ConnectionResult = z.infer<typeof ConnectionResult>;
