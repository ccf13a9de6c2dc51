import type { PlaytestStage } from '../../core/ports/engine-pages.ts';
import { isMissingFile } from '../stage/link/engine-noise.ts';
import type { StageServer } from '../stage/stage-server.ts';
import { PLAYTEST_SCRIPT } from './page/playtest-script.ts';

/** More are not collected: a game can request files without end. */
const MAX_MISSING = 1_000;

/**
 * Serves a game to the page of a playtest: at an origin of its own, with the walls of every stage. No page can open a socket
 * there, because the engine's is answered in the page.
 */
export async function openPlaytestStage(
  server: StageServer,
  {
    root,
    texts,
    language,
    ownEngine,
  }: { root: string; texts: ReadonlyMap<string, string>; language: string; ownEngine?: string },
): Promise<PlaytestStage> {
  const missing = new Set<string>();
  const stage = await server.open({
    root,
    ...(ownEngine !== undefined && { ownEngine }),
    overlay: (path) => texts.get(path),
    onMissing: (path) => {
      if (missing.size < MAX_MISSING && isMissingFile(path)) missing.add(path);
    },
    onUpgrade: (_, socket) => void socket.destroy(),
    scripts: [PLAYTEST_SCRIPT],
  });
  return {
    url: `${stage.origin}/?lang=${language}`,
    takeMissing() {
      const taken = [...missing];
      missing.clear();
      return taken;
    },
    close: () => stage.close(),
  };
}
