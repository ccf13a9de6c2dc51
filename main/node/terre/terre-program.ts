import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../../shared/errors.ts';
import type { TerreState } from '../../../shared/model/stage/terre.ts';
import type { TerreProgram as TerreProgramPort } from '../../core/ports/stage/terre.ts';
import type { TerreClient } from './terre-client.ts';
import { checkTerreFolder, findTerre, toFolderError, toShownFolder } from './terre-folder.ts';
import { createTerreProcess, hasEnded, readLastLines } from './terre-process.ts';

/** A few seconds; a computer that is busy or has a slow disk needs many. */
const START_TIMEOUT_MS = 45_000;
const ASK_INTERVAL_MS = 250;

type Environment = Readonly<Record<string, string | undefined>>;

/** WebGAL Terre as a child process of the app. */
export interface TerreProgram extends TerreProgramPort {
  /** Returns the real folder of the installed program; null if there is none that can be used. */
  locate(): Promise<string | null>;
  /** No program inside this folder of a game is started until the returned function is called. */
  guard(root: string): () => void;
}

export interface TerreProgramOptions {
  client: Pick<TerreClient, 'findProgram' | 'port'>;
  environment: Environment;
  /** The user's home, where Terre is looked for; and the app's data, whose logs receive what Terre prints. */
  folders: { home: string; data: string };
  /** Reads the folder that the user chose; null if none. */
  readChosen: () => Promise<string | null>;
}

/**
 * Terre resolves its files against its working directory, so it is started in its own folder: the chosen one, that of the variable
 * `WEBGAL_TERRE`, or a usual place. It has none of the app's variables but those that a program needs.
 */
export function createTerreProgram(options: TerreProgramOptions): TerreProgram {
  const { client, environment, readChosen } = options;
  const { home, data } = options.folders;
  const log = path.join(data, 'logs', 'terre.log');
  const listeners = new Set<() => void>();
  const roots = new Map<symbol, string>();
  let starting: Promise<void> | null = null;

  const announce = (): void => {
    for (const listener of listeners) listener();
  };
  const ours = createTerreProcess({ log, variables: toEnvironment(environment, client.port), onChange: announce });
  const find = async () => findTerre({ chosen: await readChosen(), environment, home, roots: roots.values() });

  const startNow = async (signal: AbortSignal): Promise<void> => {
    const found = await client.findProgram(signal);
    if (found === 'terre') return;
    if (found === 'other') throw toFailure('occupied', `Another program uses port ${client.port}.`, client.port);
    const place = await find();
    if (place === null) throw toFailure('none', `No WebGAL Terre answers on port ${client.port}.`, client.port);
    if (place.problem !== null) {
      const { message, reason = '' } = toFolderError(place.problem);
      throw toFailure(reason.replace('terre.', ''), message, client.port);
    }
    const child = ours.launch(place.folder);
    if ((await isAnswering(child, client, signal)) || ours.wasStopped(child)) return;
    await ours.stop();
    throw toFailure('notStarted', `No WebGAL Terre answers on port ${client.port}: it did not start.`, client.port);
  };

  return {
    async state() {
      const [place, program] = await Promise.all([find(), client.findProgram(new AbortController().signal)]);
      return {
        folder: place && toShownFolder(place.folder, home),
        source: place?.source ?? null,
        problem: place?.problem ?? null,
        port: client.port,
        status: toStatus(program, ours.isThere()),
      };
    },
    async locate() {
      const place = await find();
      return place !== null && place.problem === null ? place.folder : null;
    },
    async check(typed) {
      const found = await checkTerreFolder(typed, { home, roots: roots.values() });
      if ('problem' in found) throw toFolderError(found.problem);
      return found.folder;
    },
    async start(signal) {
      starting ??= startNow(signal).finally(() => {
        starting = null;
        announce();
      });
      await starting;
    },
    stop: ours.stop,
    readLog: () => readLastLines(log),
    guard(root) {
      const key = Symbol(root);
      roots.set(key, root);
      return () => void roots.delete(key);
    },
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function toStatus(program: 'terre' | 'other' | 'none', isOurs: boolean): TerreState['status'] {
  if (program === 'terre') return isOurs ? 'started' : 'running';
  if (isOurs) return 'starting';
  return program === 'other' ? 'other' : 'off';
}

function toFailure(reason: string, message: string, port: number): AppError {
  const hint = 'Start WebGAL Terre and open the game in it, or use the preview inside (--preview embedded).';
  return new AppError('E_PREVIEW_FAIL', message, {
    ...{ reason: `terre.${reason}`, hint },
    details: { port },
  });
}

/** Resolves to whether the program answers in time; to false as soon as it ends. */
async function isAnswering(
  child: ChildProcess,
  client: TerreProgramOptions['client'],
  signal: AbortSignal,
): Promise<boolean> {
  const until = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < until && !hasEnded(child)) {
    if ((await client.findProgram(signal)) === 'terre') return !hasEnded(child);
    await delay(ASK_INTERVAL_MS, undefined, { signal });
  }
  return false;
}

/** Not the app's whole environment: it can hold keys. `NODE_ENV` keeps Terre from opening a browser. */
function toEnvironment(environment: Environment, port: number): Record<string, string> {
  const kept = [
    'PATH',
    'HOME',
    'USERPROFILE',
    'LOCALAPPDATA',
    'APPDATA',
    'TEMP',
    'TMP',
    'SystemRoot',
    'LANG',
    'DISPLAY',
  ];
  const own = kept.flatMap((key) => (environment[key] === undefined ? [] : [[key, environment[key]] as const]));
  return { ...Object.fromEntries(own), WEBGAL_PORT: String(port - 1), NODE_ENV: 'development' };
}
