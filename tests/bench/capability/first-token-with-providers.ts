import { createServer } from 'node:net';
import { WebSocket } from 'ws';
import { type Comparison, compare } from '../compare.ts';
import { createFirstTokenModel, type FirstTokenApp, openFirstTokenApp } from '../first-token.ts';
import { toOffered, toRegistration } from './offered.ts';

const CONNECTED = 4;
const SLOW = 3;
const EACH = 5;
/** Milliseconds between the frames of a program: signs of life, or changes of what it offers. */
const UPDATE_MS = 600;

/**
 * Measures the first token with ten programs — four connected, three that change what they offer all the time and answer nothing,
 * three servers that cannot be reached, end at once or never answer — against the same app without any.
 */
export async function benchFirstTokenWithProviders(): Promise<Comparison> {
  const model = await createFirstTokenModel();
  const [bare, crowded] = [await openFirstTokenApp(model), await openFirstTokenApp(model)];
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  let end = (): void => undefined;
  try {
    end = await connectPrograms(crowded);
    await addDeadServers(crowded, (silent.address() as { port: number }).port);
    return await compare({
      name: 'first token with ten connected, slow and dead providers',
      goal: { ratio: 1.1, plusMs: 5 },
      against: 'without any',
      rounds: 30,
      ours: crowded.send,
      theirs: bare.send,
    });
  } finally {
    end();
    silent.close();
    await Promise.all([bare.dispose(), crowded.dispose()]);
    await model.close();
  }
}

async function connectPrograms(app: FirstTokenApp): Promise<() => void> {
  await app.ask('settings.update', { providerGateway: true });
  const stops: (() => void)[] = [];
  for (let index = 0; index < CONNECTED + SLOW; index += 1) {
    const id = `bench-${index}`;
    const { token } = (await app.ask('connections.createToken', { provider: id })) as { token: string };
    let url: string | null = null;
    while (url === null) {
      url = ((await app.ask('connections.state', {})) as { gatewayUrl: string | null }).gatewayUrl;
      if (url === null) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(toRegistration(id, EACH));
    const beat = setInterval(() => {
      if (index < CONNECTED) socket.send(toFrame('heartbeat'));
      else socket.send(toFrame('capability_update', { action: 'update', capabilities: [toChanged(id)] }));
    }, UPDATE_MS);
    stops.push(() => {
      clearInterval(beat);
      socket.terminate();
    });
  }
  return () => {
    for (const stop of stops) stop();
  };
}

async function addDeadServers(app: FirstTokenApp, silentPort: number): Promise<void> {
  const mcpServers = {
    gone: { url: 'http://127.0.0.1:9/mcp' },
    silent: { url: `http://127.0.0.1:${silentPort}/mcp` },
    ends: { command: process.execPath, args: ['-e', '0'] },
  };
  await app.ask('providers.add', { text: JSON.stringify({ mcpServers }) });
  const { providers } = (await app.ask('providers.list', {})) as {
    providers: { id: string; consent: string | null }[];
  };
  for (const { id, consent } of providers) {
    if (consent !== null) await app.ask('providers.agree', { id, shown: consent, role: 'editor' });
  }
}

function toChanged(provider: string) {
  const first = toOffered(provider, 0);
  return { ...first, description: `${first.description} ${performance.now()}` };
}

function toFrame(type: string, payload?: object): string {
  const head = { id: crypto.randomUUID(), type, timestamp: new Date().toISOString() };
  return JSON.stringify({ ...head, ...(payload && { payload }) });
}
