import type { SeenMedia } from '../../../shared/model/playtest/seen-media.ts';
import type { PlaytestStage } from '../../core/ports/engine-pages.ts';
import { isReportedFile } from '../stage/link/engine-noise.ts';
import type { MediaFault } from '../stage/media/media-fault.ts';
import type { StageServer } from '../stage/stage-server.ts';
import { PLAYTEST_SCRIPT } from './page/playtest-script.ts';

/** More of each kind are not collected: a game can request files without end. */
const MAX_FILES = 1_000;

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
  const missing = createFileList();
  const media = createMediaList();
  const stage = await server.open({
    root,
    ...(ownEngine !== undefined && { ownEngine }),
    overlay: (path) => texts.get(path),
    onMissing: missing.add,
    onMedia: media.add,
    onUpgrade: (_, socket) => void socket.destroy(),
    scripts: [PLAYTEST_SCRIPT],
  });
  return {
    url: `${stage.origin}/?lang=${language}`,
    takeMissing: missing.take,
    media: media.read,
    close: () => stage.close(),
  };
}

/** Pictures, sounds and films that the engine asked for. */
function createMediaList() {
  const damaged = createFileList();
  const empty = createFileList();
  let isAnyWhole = false;
  return {
    add(path: string, fault: MediaFault | null): void {
      if (fault === 'empty') empty.add(path);
      else if (fault === 'damaged') damaged.add(path);
      else isAnyWhole ||= isReportedFile(path);
    },
    read: (): SeenMedia => ({ empty: empty.all(), damaged: damaged.all(), isAnyWhole }),
  };
}

function createFileList() {
  const files = new Set<string>();
  return {
    add(path: string): void {
      if (files.size < MAX_FILES && isReportedFile(path)) files.add(path);
    },
    all: (): string[] => [...files],
    take(): string[] {
      const taken = [...files];
      files.clear();
      return taken;
    },
  };
}
