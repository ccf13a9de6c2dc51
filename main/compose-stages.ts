import { createStageServer, type StageServer } from './node/stage/stage-server.ts';

/** The server of the stages, listening. */
export interface Stages extends StageServer {
  /** Matches the stages of this run, and nothing else, in a content security policy. */
  source: string;
}

/**
 * Opens the server of the stages. For hosts that serve their page before the app is composed: this module loads none of the
 * app.
 */
export async function openStages(resources: string): Promise<Stages> {
  const server = createStageServer({ engineDirectory: `${resources}/engine` });
  return { ...server, source: await server.listen() };
}
