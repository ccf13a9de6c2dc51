import { z } from 'zod';
import { DEFAULT_ROLES, Roles } from './capability/role.ts';
import { ToolChoice, ToolName } from './capability.ts';
import { Cap } from './cost/cap.ts';
import { OwnPrice } from './cost/price.ts';
import { Declaration } from './external/declaration.ts';
import { McpServer } from './external/mcp-server.ts';
import { Locale } from './local-text.ts';
import { EngineChoice } from './stage.ts';
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

/** Facts about a suggested model. `window` and `output` are in tokens; null: unknown. `date`: year and month of the figures. */
export const ModelFacts = z.object({
  id: z.string(),
  /** Whether it sees pictures; null: unknown. */
  sees: z.boolean().nullable(),
  window: z.int().positive().nullable(),
  output: z.int().positive().nullable(),
  date: z.string(),
});
export type ModelFacts = z.infer<typeof ModelFacts>;

/** Limits that are applied to a model, in tokens. `isKnown`: false when the window is an assumption. */
export interface ModelLimits {
  window: number;
  output: number;
  isKnown: boolean;
}

/** The user's own facts about a model; window and output in tokens. */
export const OwnLimits = z.object({
  window: z.int().min(4_000).max(20_000_000).optional(),
  output: z.int().min(500).max(2_000_000).optional(),
  /** Whether the model sees pictures. */
  sees: z.boolean().optional(),
  /** The service refused a picture for it since the user chose last. */
  refusesPictures: z.boolean().optional(),
});
export type OwnLimits = z.infer<typeof OwnLimits>;

/** How much a model thinks before it answers; `default`: as the provider decides. */
export const ThinkingEffort = z.enum(['default', 'low', 'medium', 'high']);
export type ThinkingEffort = z.infer<typeof ThinkingEffort>;

/** Fixed facts about a provider. */
export const ProviderFacts = z.object({
  id: ProviderId,
  name: z.string(),
  /** Region id and base URL; empty for `custom`, whose URL the user enters. */
  regions: z.array(z.object({ id: z.enum(['cn', 'intl', 'local']), baseUrl: z.string() })),
  models: z.array(ModelFacts),
  /** Default for titles and summaries; null: the main model. */
  fastModel: z.string().nullable(),
  needsKey: z.boolean(),
  /** Where to get a key. */
  keyPage: z.string().nullable(),
});
export type ProviderFacts = z.infer<typeof ProviderFacts>;

/** The user's choice for one provider. Never contains a key. */
export const ProviderChoice = z.object({
  baseUrl: z.string().max(500),
  model: z.string().max(200),
  /** For titles and summaries. Absent: the catalogue's; empty: the main model. */
  fastModel: z.string().max(200).optional(),
  effort: ThinkingEffort.optional(),
  /** By model. */
  limits: z.record(z.string().max(200), OwnLimits).optional(),
  /** By model. */
  prices: z.record(z.string().max(200), OwnPrice).optional(),
});
export type ProviderChoice = z.infer<typeof ProviderChoice>;

/** The sizes of the editor's text, in pixels. */
export const EDITOR_FONT_SIZE = { min: 10, max: 28 } as const;

/**
 * A setting: its values, and the one it has until the user chooses. Not a default of the schema: `settings.update` takes
 * some of the settings, and would then reset those that it does not name.
 */
const setting = <S extends z.ZodType>(schema: S, initial: z.output<S>) => ({ schema, initial });

/** All settings: the only declaration of each. */
const SETTINGS = {
  /** Null: the system's language. */
  locale: setting(Locale.nullable(), null),
  theme: setting(z.enum(['auto', 'light', 'dark']), 'auto'),
  /** Null: no assistant chosen yet. */
  provider: setting(ProviderId.nullable(), null),
  choices: setting(z.partialRecord(ProviderId, ProviderChoice), {}),
  editorFontSize: setting(z.int().min(EDITOR_FONT_SIZE.min).max(EDITOR_FONT_SIZE.max), 14),
  wordWrap: setting(z.boolean(), true),
  autosave: setting(z.boolean(), true),
  /** Hints beside each line: its number of words; whether a spoken line has no voice file. */
  wordHints: setting(z.boolean(), false),
  voiceHints: setting(z.boolean(), false),
  /** Marks lines that the last playtest did not play. */
  unplayedMarks: setting(z.boolean(), true),
  stageFollowsCursor: setting(z.boolean(), true),
  stageMuted: setting(z.boolean(), false),
  /** Whether the assistant's previews go to WebGAL Terre where it has the game, and the app starts it. */
  prefersTerre: setting(z.boolean(), false),
  /** The folder of WebGAL Terre; null: the usual places. Set by `terre.pick` and `terre.choose`, which check it. */
  terreFolder: setting(z.string().max(4096).nullable(), null),
  /** Which engine the stage runs, by the id of a game that brings one; without an entry by its version. */
  stageEngines: setting(z.record(z.string().max(200), EngineChoice), {}),
  /**
   * What the assistant may do, by tool; without an entry the recommended choice applies. Tools unknown to this version
   * are kept, and an unknown choice is read as *ask*.
   */
  tools: setting(z.record(ToolName, ToolChoice.catch('ask')), {}),
  /** What other programs declared of their tools when the user allowed these; an *allow* holds for exactly that. */
  allowedAs: setting(z.record(ToolName, Declaration), {}),
  /** What the assistant and other programs may do at most. */
  roles: setting(Roles, DEFAULT_ROLES),
  /** The MCP servers that the user added. The values of their variables and headers are in the keychain. */
  mcpServers: setting(z.array(McpServer).max(32), []),
  /** Whether other programs on this computer may use the discovery API. */
  discoveryApi: setting(z.boolean(), false),
  /** Whether other programs on this computer may connect and offer capabilities. */
  providerGateway: setting(z.boolean(), false),
  /** What a turn and a day may cost before the assistant asks; null: it does not ask. */
  turnCap: setting(Cap.nullable(), null),
  dayCap: setting(Cap.nullable(), null),
  /** Whether steps of a plan that are safe are written without review; the user then keeps or undoes them. */
  autoRun: setting(z.boolean(), false),
  /** Whether a plan is only checked when it is carried out. */
  dryRun: setting(z.boolean(), false),
  /** Whether the whole game is kept when it is opened; before a restore it always is. */
  keepsCheckpoints: setting(z.boolean(), true),
  /** Automatic checkpoints that are kept for each game, and the space that all of a game may take, in gigabytes. */
  checkpointCount: setting(z.int().min(1).max(200), 20),
  checkpointGigabytes: setting(z.int().min(1).max(500), 10),
  /** Whether commands, a browser and commits are available. */
  developerMode: setting(z.boolean(), false),
  /** Whether the desktop app checks for new versions automatically. */
  checksForUpdates: setting(z.boolean(), true),
  /** The update feed; null: the project's release page. */
  updateFeed: setting(UpdateFeed.nullable(), null),
  /** Desktop: report the end of a turn, a question or a failure while the window is in the background. */
  notifications: setting(z.boolean(), true),
  /** Desktop: underline misspelt words in text fields. Off by default: on Windows and Linux Chromium downloads a dictionary. */
  spellCheck: setting(z.boolean(), false),
};

/** Returns one member of every declaration, by the name of the setting. */
function pick<Member extends 'schema' | 'initial'>(member: Member) {
  const entries = Object.entries(SETTINGS).map(([name, declaration]) => [name, declaration[member]]);
  return Object.fromEntries(entries) as { [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name][Member] };
}

export const Settings = z.object(pick('schema'));
export type Settings = z.infer<typeof Settings>;

export const DEFAULT_SETTINGS: Settings = pick('initial');

/** The settings that are on or off. */
export type SwitchSetting = { [Name in keyof Settings]: Settings[Name] extends boolean ? Name : never }[keyof Settings];

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
