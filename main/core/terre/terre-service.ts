import type { z } from 'zod';
import type { Emit, methods, Parsed } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import type { TerreState, terreMethods } from '../../../shared/model/stage/terre.ts';
import type { Ports } from '../ports/ports.ts';
import type { TerreProgram } from '../ports/stage/terre.ts';
import type { SettingsService } from '../settings/settings-service.ts';

/** Longer than the program is waited for, so that the failure says what happened. */
const START_TIMEOUT_MS = 60_000;

type TerreHandlers = {
  [M in keyof typeof terreMethods]: (input: Parsed<M>) => Promise<z.input<(typeof methods)[M]['output']>>;
};

interface TerreServiceOptions {
  ports: Pick<Ports, 'host' | 'terre'>;
  settings: Pick<SettingsService, 'change'>;
  emit: Emit;
}

/** Creates the handlers about the program WebGAL Terre: which folder it is in, starting and ending it. */
export function createTerreHandlers({ ports, settings, emit }: TerreServiceOptions): TerreHandlers {
  const { host, terre } = ports;
  const changed = () => emit('terre.changed', {});
  terre?.on(changed);
  const program = (): TerreProgram => {
    if (terre) return terre;
    throw new AppError('E_UNSUPPORTED', 'This host starts no other programs.');
  };
  const keep = async (folder: string | null): Promise<TerreState> => {
    const terreFolder = folder === null ? null : await program().check(folder);
    await settings.change((before) => ({ ...before, terreFolder }));
    changed();
    return program().state();
  };

  return {
    'terre.state': () => program().state(),
    async 'terre.pick'() {
      if (!host.pickFolder) throw new AppError('E_UNSUPPORTED', 'There is no folder dialog here.');
      const folder = await host.pickFolder();
      return folder === null ? program().state() : keep(folder);
    },
    async 'terre.choose'({ folder }) {
      // The page renders texts of games and models: it must not name a program where the user can do so without it.
      if (folder !== null && host.pickFolder)
        throw new AppError('E_UNSUPPORTED', 'The folder is chosen in the system’s dialog.');
      return keep(folder);
    },
    async 'terre.start'() {
      await program().start(AbortSignal.timeout(START_TIMEOUT_MS));
      return program().state();
    },
    async 'terre.stop'() {
      await program().stop();
      return program().state();
    },
    'terre.log': async () => ({ lines: await program().readLog() }),
  };
}
