import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import { type Composed, type ComposeOptions, compose } from '../../../main/compose.ts';
import { createWebHost } from '../../../main/hosts/web/web-host.ts';
import type { EventName, Input, Method, Output, Payload } from '../../../shared/contract.ts';
import { fromErrorData, type Reply } from '../../../shared/errors.ts';
import type { ChatItem, ChatMode, ChatPhase, ChatState } from '../../../shared/model/chat.ts';
import type { Proposal } from '../../../shared/model/proposal.ts';
import type { ProviderId, Settings } from '../../../shared/model/settings.ts';
import {
  createFakeModelServer,
  type FakeModelServer,
  type FakeScript,
} from '../../support/services/fake-model-server.ts';

const ENGINE = join(import.meta.dirname, '..', '..', '..', 'node_modules', 'webgal-engine', 'dist');

/** Milliseconds that a turn of a case may take. */
const TURN_TIMEOUT_MS = 100_000;

/** Between English (0.25) and Chinese (0.7). */
const TOKENS_PER_CHARACTER = 0.5;

const RESTING: ReadonlySet<ChatPhase> = new Set(['idle', 'review', 'answer', 'consent']);

export const START = 'game/scene/start.txt';
export const START_TEXT = '雪:你来了。;\n海:我来了。;\nend;\n';

/** The key of every case, which no file, event or request body may contain. */
export const KEY = 'sk-gauntlet-5f0c9d2e77aa41b3';

export interface GameOptions {
  /** Texts of the game by project path, added to a small game or replacing its texts. */
  files?: Record<string, string>;
  /** What the service answers, request by request. */
  script: FakeScript;
  /** The provider that is chosen; each is reached at the address of the fake service. */
  provider?: ProviderId;
  model?: string;
  /** The context window of the model in tokens. Default: the app's assumption for an unknown model. */
  window?: number;
  settings?: Partial<Settings>;
  limits?: ComposeOptions['limits'];
}

/** A game that is open in the whole app without a page: the real files, log, policy, tools and HTTP client. */
export interface GauntletGame {
  root: string;
  server: FakeModelServer;
  composed: Composed;
  /** Calls a method of the contract. Throws the `AppError` of a failure. */
  ask<M extends Method>(method: M, input: Input<M>): Promise<Output<M>>;
  /** Every event so far of one name, oldest first. */
  events<E extends EventName>(name: E): Payload<E>[];
  /** Everything that was sent to the page. */
  crossed(): string;
  /** Sends a message and waits until the turn has ended or waits for the user. */
  send(text: string, mode?: ChatMode): Promise<ChatState>;
  /** Waits until no model or tool runs. */
  settled(): Promise<ChatState>;
  chat(): Promise<ChatState>;
  items<K extends ChatItem['kind']>(kind: K): Promise<Extract<ChatItem, { kind: K }>[]>;
  proposal(): Promise<Proposal | null>;
  /** The text of the proposal for a file; undefined without a draft. */
  draft(path?: string): Promise<string | null | undefined>;
  /** The text on disk; null if there is no file. */
  disk(path?: string): Promise<string | null>;
  /** Leaves the app as a kill does, and opens the same folder and settings in a new one. */
  reopen(): Promise<GauntletGame>;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Opens a new game with a scripted service behind a real socket. Closed after the test. */
export async function openGame(options: GameOptions): Promise<GauntletGame> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'gauntlet-')));
  closing.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const root = join(folder, 'story');
  const files = { 'game/config.txt': 'Game_name:雨;\n', [START]: START_TEXT, ...options.files };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  await mkdir(join(folder, 'resources'));
  await symlink(ENGINE, join(folder, 'resources', 'engine'), 'junction');
  const server = await createFakeModelServer(withUsage(options.script));
  closing.push(() => server.close());
  const { provider = 'custom', model = 'story', window, settings = {} } = options;
  const limits = window === undefined ? {} : { limits: { [model]: { window } } };
  const game = await openFolder({ folder, root, server, limits: options.limits });
  await game.ask('settings.choose', { provider, choice: { baseUrl: server.url, model, ...limits } });
  await game.ask('settings.setKey', { provider, key: KEY });
  // Apps that a test leaves as a kill does would all keep the whole game after a while, each in a thread.
  await game.ask('settings.update', { keepsCheckpoints: false, ...settings, provider });
  return game;
}

/** Counts the tokens of a request roughly where a script does not say, as every service does. */
function withUsage(script: FakeScript): FakeScript {
  return (request, index) => {
    const step = typeof script === 'function' ? script(request, index) : script[index];
    if (!step) return { status: 500, body: { error: { message: `the script has no step ${index}` } } };
    const input = Math.ceil(JSON.stringify(request.body).length * TOKENS_PER_CHARACTER);
    return { usage: { input, output: 20 }, ...step };
  };
}

/** Opens a folder in a new app. */
async function openFolder(place: {
  folder: string;
  root: string;
  server: FakeModelServer;
  limits: GameOptions['limits'];
}): Promise<GauntletGame> {
  const { folder, root, server, limits } = place;
  const composed = await compose({
    host: createWebHost(),
    resources: join(folder, 'resources'),
    environment: {
      WEBGAL_AGENT_HOME: join(folder, 'home'),
      WEBGAL_AGENT_DOCUMENTS: join(folder, 'documents'),
      WEBGAL_AGENT_KEYCHAIN: 'memory',
    },
    limits: { ...limits, turn: { retryPause: 1, stopGrace: 50, ...limits?.turn } },
  });
  closing.push(() => composed.dispose());
  const news: { event: string; payload: unknown }[] = [];
  const texts: string[] = [];
  let phase: ChatPhase = 'idle';
  composed.app.on((event, payload) => {
    news.push({ event, payload });
    texts.push(JSON.stringify(payload));
    if (event === 'chat.updated') phase = (payload as Payload<'chat.updated'>).phase;
  });

  async function ask<M extends Method>(method: M, input: Input<M>): Promise<Output<M>> {
    const reply = (await composed.app.call(method, input)) as Reply<Output<M>>;
    texts.push(JSON.stringify(reply));
    if (!reply.ok) throw fromErrorData(reply.error);
    return reply.value;
  }
  const opened = await composed.openFolder(root);
  if (!opened.ok) throw fromErrorData(opened.error);

  async function chat(): Promise<ChatState> {
    const { chat } = await ask('chat.state', {});
    if (!chat) throw new Error('No game is open.');
    return chat;
  }
  async function settled(): Promise<ChatState> {
    const until = Date.now() + TURN_TIMEOUT_MS;
    while (!RESTING.has(phase)) {
      if (Date.now() > until) throw new Error(`The turn did not end: ${phase}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return chat();
  }
  async function proposal(): Promise<Proposal | null> {
    return (await ask('proposal.current', {})).proposal;
  }

  return {
    ...{ root, server, composed, ask, chat, settled, proposal },
    events: (name) => news.filter(({ event }) => event === name).map(({ payload }) => payload) as never,
    crossed: () => texts.join('\n'),
    async send(text, mode = 'act') {
      await ask('chat.send', { text, mode });
      return settled();
    },
    items: async (kind) => (await chat()).items.filter((item) => item.kind === kind) as never,
    draft: async (path = START) => (await proposal())?.files.find((file) => file.path === path)?.after,
    disk: (path = START) => readFile(join(root, path), 'utf8').catch(() => null),
    async reopen() {
      await composed.dispose();
      return openFolder(place);
    },
  };
}
