import type { Locale } from '../shared/model/local-text.ts';
import type { ToolStage } from './core/capability/define-tool.ts';
import type { Commands } from './core/ports/commands.ts';
import type { Reader } from './core/ports/reader.ts';
import { createExternalStage } from './core/stage/external-stage.ts';
import { createLazyStage } from './core/stage/lazy-stage.ts';
import { createDevPreview } from './node/browser/dev-preview.ts';
import { createStageLink } from './node/stage/link/stage-link.ts';
import { createStageServer } from './node/stage/stage-server.ts';
import { createTerreClient } from './node/terre/terre-client.ts';
import { createTerre } from './node/terre/terre-preview.ts';

export interface McpStage extends ToolStage {
  close(): Promise<void>;
}

/** Opens the stage of an MCP host: the app's own server, a running WebGAL Terre, or the game's dev script. */
export function openMcpStage(options: {
  kind: 'embedded' | 'terre' | 'dev';
  /** The project's real folder. */
  root: string;
  engineDirectory: string;
  environment: Readonly<Record<string, string | undefined>>;
  locale: Locale;
  reader: Reader;
  commands: Commands;
}): McpStage {
  const { kind, root, environment, reader } = options;
  const nothingToClose = async () => undefined;
  if (kind === 'terre') {
    const terre = createTerre({ root, client: createTerreClient(environment) });
    return { ...createExternalStage((scene, signal) => terre.show(scene, 1, signal)), close: terre.close };
  }
  if (kind === 'dev') return { ...createExternalStage(createDevPreview(options.commands)), close: nothingToClose };
  const server = createStageServer({ engineDirectory: options.engineDirectory, isPlain: true });
  const link = createStageLink({ root, server });
  const stage = createLazyStage({ link, reader, locale: () => options.locale });
  return {
    preview: stage.preview,
    async close() {
      stage.dispose();
      await link.close();
      await server.close();
    },
  };
}
