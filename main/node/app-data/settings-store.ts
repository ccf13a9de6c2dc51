import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { createSerialQueue } from '../../../shared/async.ts';
import { DEFAULT_SETTINGS, Settings } from '../../../shared/model/settings.ts';
import type { SettingsStore } from '../../core/ports/stores/settings-store.ts';
import { writeDurably } from '../files/durable-file.ts';
import { toIoError } from '../files/io-error.ts';
import { readPrivateFile } from '../files/private-file.ts';

const FILE = 'settings.json';

/** Returns the valid fields of a stored value; `whole` is false when some were invalid. */
function toSettings(stored: unknown): { settings: Settings; whole: boolean } {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) {
    return { settings: DEFAULT_SETTINGS, whole: false };
  }
  let settings: Settings = DEFAULT_SETTINGS;
  let whole = true;
  for (const name of Object.keys(Settings.shape)) {
    // A field that an older version did not have yet is not damage.
    if (!(name in stored)) continue;
    const next = Settings.safeParse({ ...settings, [name]: (stored as Record<string, unknown>)[name] });
    if (next.success) settings = next.data;
    else whole = false;
  }
  return { settings, whole };
}

/**
 * Creates the store of the settings, in `settings.json` of the app's folder. Keeps the valid fields of an invalid file
 * and backs the file up as `settings.json.broken`.
 */
export function createSettingsStore(dataFolder: string): SettingsStore {
  const file = path.join(dataFolder, FILE);
  const queue = createSerialQueue();
  /** The content at the last read: settings are read before each tool call and rarely change. */
  let last: { bytes: Buffer; settings: Settings } | undefined;

  async function read(): Promise<Settings> {
    const bytes = await readPrivateFile(file, FILE);
    if (!bytes) return DEFAULT_SETTINGS;
    if (last?.bytes.equals(bytes)) return last.settings;
    let stored: unknown;
    try {
      stored = JSON.parse(bytes.toString('utf8'));
    } catch {
      stored = undefined; // Distinguished from valid values below.
    }
    const { settings, whole } = toSettings(stored);
    if (whole) last = { bytes, settings };
    else {
      await rename(file, `${file}.broken`);
      await write(settings);
    }
    return settings;
  }

  async function write(settings: Settings): Promise<void> {
    await mkdir(dataFolder, { recursive: true, mode: 0o700 });
    await writeDurably(file, `${JSON.stringify(Settings.parse(settings), null, 2)}\n`, 0o600);
  }

  function runExclusive<T>(action: () => Promise<T>): Promise<T> {
    return queue.run(action).catch((error: unknown) => {
      throw toIoError(error, FILE);
    });
  }

  return { read: () => runExclusive(read), write: (settings) => runExclusive(() => write(settings)) };
}
