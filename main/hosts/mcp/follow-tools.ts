import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpSession } from '../../compose-mcp.ts';

/** Milliseconds between two looks. Not a watch: an app that was killed leaves its file, and the user's rules are in several. */
const LOOK_EVERY_MS = 2000;

/** Tells the client when other tools would be listed than it was told of, as when the app opens the same game. */
export function followTools(server: Server, session: McpSession): { stop: () => void } {
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      if (await session.haveToolsChanged()) await server.sendToolListChanged();
    } catch {
      // The client has disconnected, or the rules cannot be read now; the next look tries again.
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
