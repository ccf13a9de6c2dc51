import type { Emit, Output, Parsed } from '../../../shared/contract.ts';
import type { ToolChoice } from '../../../shared/model/capability.ts';
import { PROVIDERS } from '../../../shared/model/provider-catalog.ts';
import { toServiceOrigins } from '../../../shared/model/service-address.ts';
import type { KeyState, ProviderId, Settings } from '../../../shared/model/settings.ts';
import { LOCALES, type Locale } from '../../../shared/model/text.ts';
import type { Ports, ServiceOrigins } from '../ports.ts';

export interface SettingsArea {
  read(): Promise<Output<'settings.read'>>;
  update(patch: Parsed<'settings.update'>): Promise<void>;
  choose(provider: ProviderId, choice: Parsed<'settings.choose'>['choice']): Promise<void>;
  chooseTool(tool: string, choice: ToolChoice | null): Promise<void>;
  resetTools(): Promise<void>;
  setKey(provider: ProviderId, key: string): Promise<KeyState>;
  forgetKeys(): Promise<KeyState>;
  test(provider: ProviderId): Promise<Output<'settings.testConnection'>>;
  /** The language to word things in: hers, or the system's while she has not chosen. */
  locale(): Locale;
}

/** What she chose, and the keys that go in and never come out. Changes are made one after another, so none is lost. */
export function createSettingsArea(
  ports: Pick<Ports, 'settings' | 'secrets' | 'models' | 'host'>,
  emit: Emit,
  /** Called with the settings after each change, before the pages are. */
  onChange: (settings: Settings) => void = () => {},
): SettingsArea {
  const systemLocale = toLocale(ports.host.systemLocale);
  let locale = systemLocale;
  const note = (settings: Settings): Settings => {
    locale = settings.locale ?? systemLocale;
    return settings;
  };
  // Read ahead so that `locale` is right from the start; whoever reads the settings next hears of a failure.
  let tail: Promise<unknown> = ports.settings.read().then(note, () => {});

  const tell = async (settings: Settings): Promise<void> =>
    emit('settings.changed', { settings, keys: await ports.secrets.state(toServiceOrigins(settings.choices)) });

  const change = (edit: (settings: Settings) => Settings): Promise<void> => {
    const done = tail.then(async () => {
      const settings = edit(await ports.settings.read());
      await ports.settings.write(settings);
      note(settings);
      onChange(settings);
      await tell(settings);
    });
    // Whoever asked hears of the failure; the next change must not fail for it.
    tail = done.catch(() => {});
    return done;
  };

  const changeKeys = (edit: (origins: ServiceOrigins) => Promise<KeyState>): Promise<KeyState> => {
    // Behind the changes that were asked for before: a key is bound to the address the user sees beside it.
    const done = tail.then(async () => {
      const settings = await ports.settings.read();
      const keys = await edit(toServiceOrigins(settings.choices));
      await tell(settings);
      return keys;
    });
    tail = done.catch(() => {});
    return done;
  };

  return {
    async read() {
      const settings = await ports.settings.read();
      const keys = await ports.secrets.state(toServiceOrigins(settings.choices));
      return { settings, providers: [...PROVIDERS], keys };
    },
    update: (patch) => change((settings) => ({ ...settings, ...withoutUndefined(patch) })),
    choose: (provider, choice) =>
      change((settings) => ({ ...settings, choices: { ...settings.choices, [provider]: choice } })),
    chooseTool: (tool, choice) =>
      change((settings) => {
        const { [tool]: _before, ...others } = settings.tools;
        return { ...settings, tools: choice === null ? others : { ...others, [tool]: choice } };
      }),
    resetTools: () => change((settings) => ({ ...settings, tools: {} })),
    setKey: (provider, key) => changeKeys((origins) => ports.secrets.set(provider, key, origins)),
    forgetKeys: () => changeKeys((origins) => ports.secrets.forgetAll(origins)),
    test: (provider) => ports.models.test(provider),
    locale: () => locale,
  };
}

/** The app's language nearest to a system's tag: any Chinese is Chinese, the rest of the world reads English. */
export function toLocale(tag: string): Locale {
  return LOCALES.find((locale) => locale.split('-')[0] === tag.toLowerCase().split(/[-_.]/)[0]) ?? 'en';
}

function withoutUndefined(patch: Parsed<'settings.update'>): Partial<Settings> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Partial<Settings>;
}
