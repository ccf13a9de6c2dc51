import type { Locale } from '../../../shared/model/text.ts';
import type { Stage } from '../areas.ts';
import type { ToolStage } from '../capability/define-tool.ts';
import type { Reader, StageLink } from '../ports.ts';
import { createBuffers } from '../project/buffers.ts';
import { createStage } from './stage.ts';

/**
 * A stage for hosts without a page or a proposal: what lies on the disk is what plays. Nothing is served before the
 * first preview, for most sessions never ask for one.
 */
export function createLazyStage(options: {
  link: StageLink;
  reader: Reader;
  locale: () => Locale;
}): ToolStage & { dispose(): void } {
  let stage: Stage | null = null;
  const none: ReadonlyMap<string, string> = new Map();
  const desk = { reader: options.reader, texts: () => none, current: () => null, on: () => () => undefined };
  return {
    async preview(scenePath, signal) {
      stage ??= createStage({ ...options, desk, buffers: createBuffers(), emit: () => undefined });
      const played = await stage.preview(scenePath, signal);
      // There is no page here that shows it by itself.
      return {
        ...played,
        logs: [...played.logs, `To see it, this address must be opened in a browser: ${played.url}`],
      };
    },
    dispose: () => stage?.dispose(),
  };
}
