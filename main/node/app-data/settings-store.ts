import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { DEFAULT_SETTINGS, Settings } from '../../../shared/model/settings.ts';
import type { SettingsStore } from '../../core/ports.ts';
import { writeDurably } from '../files/durable-file.ts';
import { toIoError } from '../files/io-error.ts';
import { readPrivateFile } from '../files/private-file.ts';

const FILE = 'settings.json';

/** What can be understood of a stored value; `whole` says whether that was all of it. */
function toSettings(stored: unknown): { settings: Settings; whole: boolean } {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) {
    return { settings: DEFAULT_SETTINGS, whole: false };
  }
  let settings: Settings = DEFAULT_SETTINGS;
  let whole = true;
  for (const name of Object.keys(Settings.shape)) {
    // What an older version did not know yet is not damage.
    if (!(name in stored)) continue;
    const next = Settings.safeParse({ ...settings, [name]: (stored as Record<string, unknown>)[name] });
    if (next.success) settings = next.data;
    else whole = false;
  }
  return { settings, whole };
}

/**
 * Her choices, in `settings.json` of the app's folder. A file that cannot be read whole is kept aside as
 * `settings.json.broken` and what was good in it is used: a typo of hers must cost neither the app nor her work on it.
 */
export function createSettingsStore(dataFolder: string): SettingsStore {
  const file = path.join(dataFolder, FILE);
  let queue: Promise<unknown> = Promise.resolve();
  /** What the file held last: it is asked before each call of a tool, and hardly ever another. */
  let last: { bytes: Buffer; settings: Settings } | undefined;

  async function read(): Promise<Settings> {
    const bytes = await readPrivateFile(file, FILE);
    if (!bytes) return DEFAULT_SETTINGS;
    if (last?.bytes.equals(bytes)) return last.settings;
    let stored: unknown;
    try {
      stored = JSON.parse(bytes.toString('utf8'));
    } catch {
      stored = undefined; // Told apart from good values below.
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

  function inTurn<T>(action: () => Promise<T>): Promise<T> {
    const result = queue.then(action).catch((error: unknown) => {
      throw toIoError(error, FILE);
    });
    queue = result.catch(() => undefined); // Reported to the caller.
    return result;
  }

  return { read: () => inTurn(read), write: (settings) => inTurn(() => write(settings)) };
}
