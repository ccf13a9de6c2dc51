import type { Locale } from '../../../shared/model/local-text.ts';
import type { ToolStage } from '../capability/define-tool.ts';
import type { Reader } from '../ports/reader.ts';
import type { StageLink } from '../ports/stage-link.ts';
import { createBuffers } from '../project/unsaved/buffers.ts';
import type { Stage } from '../services.ts';
import { createStage } from './stage.ts';

/**
 * Creates a stage for hosts without a page or a proposal; it plays the files on disk. The server starts at the first
 * preview, because most sessions never request one.
 */
export function createLazyStage(options: {
  link: StageLink;
  reader: Reader;
  locale: () => Locale;
}): ToolStage & { dispose(): void } {
  let stage: Stage | null = null;
  const none: ReadonlyMap<string, string> = new Map();
  const proposals = {
    ...{ reader: options.reader, texts: () => none, played: () => none },
    ...{ current: () => null, on: () => () => undefined },
  };
  return {
    async preview(scenePath, signal) {
      stage ??= createStage({ ...options, proposals, buffers: createBuffers(), emit: () => undefined });
      const played = await stage.preview(scenePath, signal);
      // This host has no page that would show it.
      return {
        ...played,
        logs: [...played.logs, `To see it, this address must be opened in a browser: ${played.url}`],
      };
    },
    dispose: () => stage?.dispose(),
  };
}
