import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '../../../shared/errors.ts';
import type { McpProject, McpSession } from '../../compose-mcp.ts';
import { throwProtocolError } from './to-protocol-error.ts';

/** Limits of subscriptions: far more than a game needs, and bounded memory. */
const MAX_SUBSCRIPTIONS = 10_000;
const MAX_URI_LENGTH = 4096;

/** Answers requests about resources and notifies the client of changes. `open` returns the client's session. */
export function serveResources(
  server: Server,
  openGame: () => Promise<McpProject>,
  open: () => Promise<McpSession>,
): { unwatch: () => void } {
  const subscribed = new Set<string>();
  let watching: ReturnType<McpProject['watch']> | undefined;
  /** Starts watching at the first request about resources: other clients get no notifications and cause no reads. */
  const watch = async (): Promise<void> => {
    const game = await openGame();
    watching ??= game.watch(({ uris, listed }) => {
      const notifications = uris.filter((uri) => subscribed.has(uri)).map((uri) => server.sendResourceUpdated({ uri }));
      if (listed) notifications.push(server.sendResourceListChanged());
      // Ignored: the transport handles a client that has disconnected.
      Promise.all(notifications).catch(() => undefined);
    });
    return watching.ready;
  };

  server.setRequestHandler(ListResourcesRequestSchema, async (_, { signal }) => ({
    resources: await watch()
      .then(open)
      .then(({ resources }) => resources.list(signal))
      .catch(throwProtocolError),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({
    resourceTemplates: (await open().catch(throwProtocolError)).resources.templates(),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }, { signal }) => ({
    contents: [
      await open()
        .then(({ resources }) => resources.read(params.uri, signal))
        .catch(throwProtocolError),
    ],
  }));
  server.setRequestHandler(SubscribeRequestSchema, async ({ params }) => {
    if (subscribed.size >= MAX_SUBSCRIPTIONS || params.uri.length > MAX_URI_LENGTH) {
      throwProtocolError(new AppError('E_BAD_ARGS', 'No more resources can be subscribed to.'));
    }
    await Promise.all([watch(), open()]).catch(throwProtocolError);
    subscribed.add(params.uri);
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  return { unwatch: () => watching?.unwatch() };
}
