import type { Locale } from '../../../shared/model/local-text.ts';
import type { PlaytestEngine } from '../../../shared/model/playtest/report.ts';
import type { PlaytestPorts, ScriptPages } from '../../core/ports/engine-pages.ts';
import type { BrowserProgram } from '../browser/browser-session.ts';
import type { OwnEngine } from '../stage/game-engine.ts';
import { isIdleTalk } from '../stage/link/engine-noise.ts';
import { createStageServer } from '../stage/stage-server.ts';
import { boundPages } from './bound-pages.ts';
import { createBrowserEnginePages } from './browser/browser-engine-pages.ts';
import { openPlaytestStage } from './open-playtest-stage.ts';

/** Creates what the playtests of one game need: a server for each run, and the pages of the host or of the installed browser. */
export function createPlaytestPorts(options: {
  /** The project's real folder. */
  root: string;
  engineDirectory: string;
  /** Finds the engine that came with the game; default: there is none. */
  findOwn?: () => Promise<OwnEngine | null>;
  /** The engines to try, in order; default: the usual ones. */
  order?: readonly PlaytestEngine[];
  environment: Readonly<Record<string, string | undefined>>;
  /** The language of the engine's own interface. */
  locale: () => Locale;
  /** How the host opens pages; default: the browser of this computer. */
  pages?: ScriptPages;
  program?: BrowserProgram;
}): PlaytestPorts {
  const { root, engineDirectory, environment, locale, program, order = null } = options;
  let found: Promise<OwnEngine | null> | undefined;
  const findOwn = () => (found ??= options.findOwn?.() ?? Promise.resolve(null));
  return {
    isIdleTalk,
    pages: boundPages(options.pages ?? createBrowserEnginePages({ environment, ...(program && { program }) })),
    engines: { own: async () => (await findOwn())?.version ?? null, order: async () => order },
    async openStage(texts, engine) {
      const own = engine === 'own' ? await findOwn() : null;
      // A server of its own: its port is an origin without anything that an earlier run stored.
      const server = createStageServer({ engineDirectory, isPlain: true });
      try {
        const stage = await openPlaytestStage(server, {
          ...{ root, texts, language: locale() },
          ...(own && { ownEngine: own.folder }),
        });
        return {
          ...stage,
          close() {
            stage.close();
            void server.close();
          },
        };
      } catch (error) {
        await server.close();
        throw error;
      }
    },
  };
}
