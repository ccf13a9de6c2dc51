import type { EngineChoice } from '../../../../shared/model/stage.ts';
import type { ClosableStageLink, StageEvent } from '../../../core/ports/stage-link.ts';
import type { TerreGame } from '../../terre/terre-files.ts';
import { createTerreSource } from '../../terre/terre-source.ts';
import { createUnreadableMedia } from '../media/unreadable-media.ts';
import type { OpenStage, StageServer } from '../stage-server.ts';
import { createAskedFiles } from './asked-files.ts';
import { createBridgeConnections } from './bridge-connections.ts';
import { createEngineConnections } from './engine-connections.ts';
import { isReportedFile } from './engine-noise.ts';
import { createJumpTexts } from './jump-texts.ts';
import { createMessageQueue } from './message-queue.ts';
import { createStageDriver } from './stage-driver.ts';
import { createStageSockets } from './stage-sockets.ts';

interface LinkOptions {
  server: StageServer;
  root: string;
  /** The folder of the engine that came with the game. */
  ownEngine?: string | undefined;
  /** True: for the app's own page alone. */
  isNamedOnly?: boolean;
  /** Returns the game in a running Terre; null if none has it. */
  findInTerre?: ((signal: AbortSignal) => Promise<TerreGame | null>) | undefined;
}

/** Creates the connection to the engine of one open game: serves it, sends it jumps, and reports its state. */
export function createStageLink(options: LinkOptions): ClosableStageLink {
  const { server, root, ownEngine, isNamedOnly = false, findInTerre } = options;
  const listeners = new Set<(event: StageEvent) => void>();
  let overlay: ReadonlyMap<string, string> = new Map();
  let starting: Promise<OpenStage> | null = null;
  let isClosed = false;
  let choice: EngineChoice = 'bundled';

  const emit = (event: StageEvent): void => {
    for (const listener of listeners) listener(event);
  };
  const { jumps, asked, media, terre, engines, bridges, sockets } = createParts(emit, findInTerre);

  const openStage = async (): Promise<OpenStage> => {
    terre.close();
    const remote = choice === 'terre' ? await terre.open() : null;
    return server.open({
      ...{ root, isNamedOnly },
      ...(choice === 'own' && ownEngine !== undefined && { ownEngine }),
      ...(remote && { remote }),
      onPage: () => emit({ kind: 'page' }),
      onAsked: asked.add,
      overlay: (path, query) => jumps.find(path, query) ?? overlay.get(path),
      onMissing: (path) => {
        if (isReportedFile(path)) emit({ kind: 'missing', path });
      },
      onMedia: media.add,
      onUpgrade: sockets.onUpgrade,
    });
  };

  const start = async (): Promise<{ url: string }> => {
    starting ??= openStage().catch((error: unknown) => {
      // The next call tries again.
      starting = null;
      throw error;
    });
    const stage = await starting;
    if (isClosed) stage.close();
    return { url: stage.origin };
  };

  return {
    driver: createStageDriver({ bridges, engines, toReported: jumps.toReported }),
    start,
    serveEngine(next) {
      choice = next;
    },
    async move() {
      const old = starting;
      starting = null;
      asked.clear();
      // First: a host without a page has one address for all stages.
      (await old?.catch(() => null))?.close();
      sockets.terminateAll();
      return start();
    },
    setOverlay(texts) {
      overlay = new Map(texts);
    },
    jump(scene, line, text) {
      jumps.add(scene, line, text);
      return engines.jump();
    },
    hasAsked: asked.has,
    reloadStyles: () => asked.confirmStyles(() => engines.send((protocol) => [protocol.reloadStyles()])),
    reload: () => bridges.reload(),
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      listeners.clear();
      sockets.terminateAll();
      const stage = await starting?.catch(() => null);
      stage?.close();
    },
  };
}

/** What serves the stage's pages, and who is connected to it. */
function createParts(emit: (event: StageEvent) => void, findInTerre: LinkOptions['findInTerre']) {
  const jumps = createJumpTexts();
  // One queue for all sockets: its limit applies to the game, not to each of its pages.
  const messages = createMessageQueue();
  const onLost = () => emit({ kind: 'terre-lost' });
  const terre = createTerreSource({ find: findInTerre, messages, onLost });
  const engines = createEngineConnections({ messages, jumps, openRelay: terre.openRelay, emit });
  const bridges = createBridgeConnections({ messages, toReported: jumps.toReported, emit });
  const sockets = createStageSockets({ acceptEngine: engines.accept, acceptBridge: bridges.accept });
  const media = createUnreadableMedia((path) => emit({ kind: 'unreadable', path }));
  return { jumps, asked: createAskedFiles(), media, terre, engines, bridges, sockets };
}
