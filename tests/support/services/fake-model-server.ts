import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { storyScript } from '../games/story-script.ts';
import { ANTHROPIC_SHAPE, type FakeShape, GOOGLE_SHAPE, toPieces } from './fake-shapes.ts';

export interface FakeCall {
  name: string;
  /** An object, or the raw text of the arguments, which may be broken. */
  args: unknown;
  id?: string;
}

/** The response to one request. Parts are sent in the order: reasoning, text, calls, junk, end. */
export interface FakeStep {
  reasoning?: string | readonly string[];
  text?: string | readonly string[];
  calls?: readonly FakeCall[];
  /** First `index` of the tool calls; some services begin at 1. */
  firstIndex?: number;
  usage?: { input: number; output: number; cached?: number };
  /** Sends no usage, as some gateways do. */
  noUsage?: boolean;
  finish?: string;
  /** Milliseconds before each piece. */
  delay?: number;
  /** Milliseconds before the headers. */
  wait?: number;
  /** Responds with this status and body instead of a stream. */
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Raw lines of the stream after the pieces. */
  junk?: readonly string[];
  /** Destroys the socket after this number of pieces. */
  dieAfter?: number;
  /** Stops sending after this number of pieces and keeps the socket open. */
  hangAfter?: number;
  /** Sends an error in the stream instead of an end. */
  failure?: unknown;
  /** Ends the stream without a finish reason. */
  noFinish?: boolean;
}

export interface FakeRequest {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: { model?: string; messages?: FakeMessage[]; tools?: { function: { name: string } }[]; [key: string]: unknown };
}

export interface FakeMessage {
  role: string;
  content?: unknown;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
  reasoning_content?: string;
}

export type FakeScript = readonly FakeStep[] | ((request: FakeRequest, index: number) => FakeStep);

export interface FakeModelServer {
  /** Base URL for an OpenAI-compatible client, `/v1` included. */
  url: string;
  requests: FakeRequest[];
  /** Number of requests whose client disconnected before the response was complete. */
  aborted(): number;
  close(): Promise<void>;
}

/** Responses that the server aborted itself. */
const killed = new WeakSet<ServerResponse>();

/**
 * Starts a service on loopback that follows a script, including invalid responses. It answers in the shape of the API whose path is
 * called: OpenAI's, Anthropic's or Google's. With `key` it rejects every other key.
 */
export async function createFakeModelServer(
  script: FakeScript,
  options: { port?: number; key?: string } = {},
): Promise<FakeModelServer> {
  const requests: FakeRequest[] = [];
  let aborted = 0;
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableFinished && !killed.has(response)) aborted += 1;
    });
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method === 'GET' && request.url?.endsWith('/models')) {
      return sendJson(response, 200, { object: 'list', data: [{ id: 'story', object: 'model' }] });
    }
    const path = (request.url ?? '').replace(/\?.*/, '');
    const shape = SHAPES.find(({ matches }) => matches(path));
    if (request.method !== 'POST' || !shape) {
      return sendJson(response, 404, { error: { message: 'no such path' } });
    }
    const seen: FakeRequest = {
      path,
      headers: request.headers,
      body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as FakeRequest['body'],
    };
    const index = requests.push(seen) - 1;
    if (options.key !== undefined && request.headers.authorization !== `Bearer ${options.key}`) {
      const sent = String(request.headers.authorization ?? '').replace(/^Bearer /, '');
      const message = `Incorrect API key provided: ${sent}.`;
      return sendJson(response, 401, { error: { message, type: 'invalid_request_error', code: 'invalid_api_key' } });
    }
    const step = typeof script === 'function' ? script(seen, index) : script[index];
    if (!step) return sendJson(response, 500, { error: { message: `the script has no step ${index}` } });
    await play(step, response, { shape, model: seen.body.model ?? 'story' });
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    aborted: () => aborted,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function toDeltas(step: FakeStep): Record<string, unknown>[] {
  const deltas: Record<string, unknown>[] = [];
  for (const piece of toPieces(step.reasoning)) deltas.push({ reasoning_content: piece });
  for (const piece of toPieces(step.text)) deltas.push({ content: piece });
  for (const [position, call] of (step.calls ?? []).entries()) {
    const index = position + (step.firstIndex ?? 0);
    const id = call.id ?? `call_${Math.random().toString(36).slice(2, 10)}`;
    deltas.push({ tool_calls: [{ index, id, type: 'function', function: { name: call.name, arguments: '' } }] });
    const args = typeof call.args === 'string' ? call.args : JSON.stringify(call.args);
    for (const piece of toPieces(args)) deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  return deltas;
}

async function kill(response: ServerResponse): Promise<void> {
  killed.add(response);
  // Destroying the socket immediately would discard data that was already sent.
  await new Promise((resolve) => setTimeout(resolve, 20));
  response.destroy();
}

async function play(
  step: FakeStep,
  response: ServerResponse,
  { shape, model }: { shape: FakeShape; model: string },
): Promise<void> {
  const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  if (step.wait) await sleep(step.wait);
  if (step.status !== undefined) {
    return sendJson(response, step.status, step.body ?? { error: { message: `status ${step.status}` } }, step.headers);
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...step.headers });
  response.flushHeaders();
  for (const [sent, piece] of shape.pieces(step, model).entries()) {
    if (step.dieAfter === sent) return kill(response);
    if (step.hangAfter === sent) return;
    if (step.delay) await sleep(step.delay);
    if (response.destroyed) return;
    response.write(piece);
  }
  for (const line of step.junk ?? []) response.write(`data: ${line}\n\n`);
  if (step.dieAfter !== undefined) return kill(response);
  if (step.hangAfter !== undefined) return;
  const end = step.failure === undefined ? shape.end(step, model) : shape.failure(step.failure);
  for (const frame of end) response.write(frame);
  response.end();
}

const toHead = (model: string) => ({ id: 'fake', object: 'chat.completion.chunk', created: 1, model });
const toFrame = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
const END = 'data: [DONE]\n\n';

const OPENAI_SHAPE: FakeShape = {
  matches: (path) => path.endsWith('/chat/completions'),
  pieces: (step, model) =>
    [{ role: 'assistant' }, ...toDeltas(step)].map((delta) =>
      toFrame({ ...toHead(model), choices: [{ index: 0, delta, finish_reason: null }] }),
    ),
  end(step, model) {
    const finish = step.finish ?? (step.calls?.length ? 'tool_calls' : 'stop');
    const { input, output, cached } = step.usage ?? { input: 100, output: 20 };
    const usage = {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cached ?? 0 },
    };
    const last = { ...toHead(model), choices: [{ index: 0, delta: {}, finish_reason: finish }] };
    const count = step.noUsage ? [] : [toFrame({ ...toHead(model), choices: [], usage })];
    return [...(step.noFinish ? [] : [toFrame(last)]), ...count, END];
  },
  failure: (error) => [toFrame({ error }), END],
};

const SHAPES: readonly FakeShape[] = [OPENAI_SHAPE, ANTHROPIC_SHAPE, GOOGLE_SHAPE];

async function main(): Promise<void> {
  const port = Number(process.argv[process.argv.indexOf('--port') + 1] ?? 0);
  const keyAt = process.argv.indexOf('--key');
  const key = keyAt > 0 ? process.argv[keyAt + 1] : undefined;
  const server = await createFakeModelServer(storyScript, {
    port: Number.isFinite(port) ? port : 0,
    ...(key !== undefined && { key }),
  });
  console.log(server.url);
  const stop = () => void server.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
