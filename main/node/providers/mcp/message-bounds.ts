import { createJsonScanner, type JsonBounds } from '../../../../shared/text/bounded-json.ts';
import type { Fetch } from '../../../network/requests.ts';

/** Of one message of a server. Longer lists of tools than are taken have to arrive, to be cut. */
export const MESSAGE_BOUNDS: JsonBounds = { depth: 64, members: 300_000 };

/** Returns a function whose answers fail where a message in them is beyond the bounds, before anybody parses it. */
export function withMessageBounds(send: Fetch): Fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (response.body === null) return response;
    // Only who asked for events reads them one by one.
    const types = [new Headers(init?.headers).get('accept'), response.headers.get('content-type')];
    const isStream = types.every((type) => type?.includes('text/event-stream'));
    const scanner = createJsonScanner(MESSAGE_BOUNDS, { isStream });
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        scanner.scan(bytes);
        controller.enqueue(bytes);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bounded), { status, statusText, headers });
  };
}
