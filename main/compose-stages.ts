import { createStageServer, type StageServer } from './node/stage/stage-server.ts';

/** The running stage server. */
export interface Stages extends StageServer {
  /** A content security policy source that matches only the stages of this run. */
  source: string;
}

/**
 * Starts the stage server. Separate from `compose`, because hosts serve their page before the app is composed, and this module
 * imports no other part of the app.
 */
export async function openStages(resources: string): Promise<Stages> {
  const server = createStageServer({ engineDirectory: `${resources}/engine` });
  return { ...server, source: await server.listen() };
}
