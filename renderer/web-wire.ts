import type { Reply } from '../shared/errors.ts';
import { LAUNCH_PATH, SESSION_KEY, type Wire } from '../shared/wire.ts';

const RECONNECT_MS = 1000;
const LAUNCH_LINK = /^#launch=([\w-]+)$/;
/** `sessionStorage` key of a token that is being exchanged, with the page's own mark. */
const LAUNCH_KEY = 'webgal-agent.launch';

/** Creates the HTTP transport for a page in a browser. `announce` receives whether the app is reachable. */
export function createWebWire(announce: (isConnected: boolean) => void): Wire {
  const listeners = new Set<(event: string, payload: unknown) => void>();
  const session = openSession();
  let isListening = false;
  // The link of a later start on this port, opened in this tab, does not load the page by itself.
  addEventListener('hashchange', () => {
    if (LAUNCH_LINK.test(location.hash)) location.reload();
  });

  const post = async (path: string, body: string): Promise<Response> =>
    fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await session}` },
      body,
    });

  const listen = async (): Promise<void> => {
    isListening = true;
    for (;;) {
      try {
        const response = await post('/events', '');
        if (response.ok && response.body) await readEvents(response.body);
      } catch {
        // The app is down or restarting: retried below.
      }
      announce(false);
      await new Promise((done) => setTimeout(done, RECONNECT_MS));
    }
  };

  const readEvents = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    let rest = '';
    const decoder = new TextDecoder();
    const reader = body.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      announce(true);
      const lines = (rest + decoder.decode(read.value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines.filter((each) => each !== '')) {
        const { event, payload } = JSON.parse(line) as { event: string; payload: unknown };
        for (const listener of listeners) listener(event, payload);
      }
    }
  };

  return {
    call: async (name, input) => (await post(`/call/${name}`, JSON.stringify(input))).json() as Promise<Reply<unknown>>,
    on(listener) {
      listeners.add(listener);
      if (!isListening) void listen();
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Exchanges the token of the launch link for a session, or returns the stored one. The token leaves the URL first; it is kept
 * for the tab until the session is stored, because the page may be reloaded in between.
 */
async function openSession(): Promise<string> {
  const token = LAUNCH_LINK.exec(location.hash)?.[1];
  if (token !== undefined) {
    sessionStorage.setItem(LAUNCH_KEY, `${token}.${crypto.randomUUID()}`);
    history.replaceState(null, '', location.pathname);
  }
  const launch = sessionStorage.getItem(LAUNCH_KEY);
  if (launch !== null) {
    const response = await fetch(LAUNCH_PATH, { method: 'POST', body: launch });
    if (response.ok) {
      const { session } = (await response.json()) as { session: string };
      localStorage.setItem(SESSION_KEY, session);
    }
    sessionStorage.removeItem(LAUNCH_KEY);
  }
  // A link that was used already: the session of the first use may still be stored.
  return localStorage.getItem(SESSION_KEY) ?? '';
}
