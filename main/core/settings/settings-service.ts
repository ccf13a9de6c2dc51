import { createSerialQueue } from '../../../shared/async.ts';
import type { Emit, Output, Parsed } from '../../../shared/contract.ts';
import type { ToolChoice } from '../../../shared/model/capability.ts';
import type { Declaration } from '../../../shared/model/external/declaration.ts';
import { type Locale, toLocale } from '../../../shared/model/local-text.ts';
import { toProviderOrigins } from '../../../shared/model/provider-address.ts';
import { PROVIDERS } from '../../../shared/model/provider-catalog.ts';
import type { KeyState, ProviderId, Settings } from '../../../shared/model/settings.ts';
import type { EngineChoice } from '../../../shared/model/stage.ts';
import type { ModelIdentity } from '../ports/models.ts';
import type { Ports } from '../ports/ports.ts';
import type { ProviderOrigins } from '../ports/stores/settings-store.ts';

export interface SettingsService {
  read(): Promise<Output<'settings.read'>>;
  update(patch: Parsed<'settings.update'>): Promise<void>;
  choose(provider: ProviderId, choice: Parsed<'settings.choose'>['choice']): Promise<void>;
  /** `declaration`: what another program declared when the user was asked; absent: what it declares now. */
  chooseTool(tool: string, choice: ToolChoice | null, declaration?: Declaration): Promise<void>;
  chooseEngine(project: string, choice: EngineChoice): Promise<void>;
  /** Notes that a service refused a picture for a model: also where the user believed that it sees them. */
  notePicturesRefused(by: ModelIdentity): Promise<void>;
  /** Changes settings by a function, which may throw to leave them as they are. */
  change(edit: (settings: Settings) => Settings): Promise<void>;
  resetTools(): Promise<void>;
  setKey(provider: ProviderId, key: string): Promise<KeyState>;
  forgetKeys(): Promise<KeyState>;
  test(provider: ProviderId): Promise<Output<'settings.testConnection'>>;
  /** Returns the language of messages: the one in the settings, else the system's. */
  locale(): Locale;
}

export interface SettingsPorts extends Pick<Ports, 'settings' | 'secrets' | 'models' | 'host'> {
  /** Returns what another program declares of its tool; undefined for others. */
  findDeclaration?: (tool: string) => Promise<Declaration> | undefined;
}

/** Creates the settings service. Stored keys are never returned. Changes run in a queue, so that none is lost. */
export function createSettingsService(
  ports: SettingsPorts,
  emit: Emit,
  /** Called with the settings after and before each change, before the event is sent to pages. */
  onChange: (settings: Settings, before: Settings) => Promise<void> | undefined = () => undefined,
): SettingsService {
  const systemLocale = toLocale(ports.host.systemLocale);
  let locale = systemLocale;
  const note = (settings: Settings): Settings => {
    locale = settings.locale ?? systemLocale;
    return settings;
  };
  // Read in advance so that `locale` is correct from the start. A failure is reported to the next reader.
  const queue = createSerialQueue();
  queue.run(async () => note(await ports.settings.read())).catch(() => undefined);

  const announce = async (settings: Settings): Promise<void> =>
    emit('settings.changed', { settings, keys: await ports.secrets.state(toProviderOrigins(settings.choices)) });

  const change = (edit: (settings: Settings) => Settings): Promise<void> =>
    queue.run(async () => {
      const before = await ports.settings.read();
      const settings = edit(before);
      await ports.settings.write(settings);
      note(settings);
      await onChange(settings, before);
      await announce(settings);
    });

  const changeKeys = (edit: (origins: ProviderOrigins) => Promise<KeyState>): Promise<KeyState> =>
    // Queued after earlier changes, so that the key is bound to the address that the user sees.
    queue.run(async () => {
      const settings = await ports.settings.read();
      const keys = await edit(toProviderOrigins(settings.choices));
      await announce(settings);
      return keys;
    });

  return {
    async read() {
      const settings = await ports.settings.read();
      const keys = await ports.secrets.state(toProviderOrigins(settings.choices));
      return { settings, providers: [...PROVIDERS], keys };
    },
    update: (patch) => change((settings) => ({ ...settings, ...withoutUndefined(patch) })),
    choose: (provider, choice) =>
      change((settings) => ({ ...settings, choices: { ...settings.choices, [provider]: choice } })),
    async chooseTool(tool, choice, shown) {
      const declaration = choice === 'allow' ? (shown ?? (await ports.findDeclaration?.(tool))) : undefined;
      await change((settings) => {
        const { [tool]: _before, ...others } = settings.tools;
        const { [tool]: _earlier, ...allowedAs } = settings.allowedAs;
        return {
          ...settings,
          tools: choice === null ? others : { ...others, [tool]: choice },
          allowedAs: declaration === undefined ? allowedAs : { ...allowedAs, [tool]: declaration },
        };
      });
    },
    chooseEngine: (project, choice) =>
      change((settings) => ({ ...settings, stageEngines: { ...settings.stageEngines, [project]: choice } })),
    notePicturesRefused: ({ provider, model }) =>
      change((settings) => {
        const choice = settings.choices[provider] ?? { baseUrl: '', model: '' };
        const { sees: _believed, ...own } = choice.limits?.[model] ?? {};
        const limits = { ...choice.limits, [model]: { ...own, refusesPictures: true } };
        return { ...settings, choices: { ...settings.choices, [provider]: { ...choice, limits } } };
      }),
    change,
    resetTools: () => change((settings) => ({ ...settings, tools: {}, allowedAs: {} })),
    setKey: (provider, key) => changeKeys((origins) => ports.secrets.set(provider, key, origins)),
    forgetKeys: () => changeKeys((origins) => ports.secrets.forgetAll(origins)),
    test: (provider) => ports.models.test(provider),
    locale: () => locale,
  };
}

function withoutUndefined(patch: Parsed<'settings.update'>): Partial<Settings> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Partial<Settings>;
}
