import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProvider } from '../../../../packages/provider-sdk/src/index.ts';
import { buildKilledProgram } from '../../../../tests/support/attacks/killed/killed-program.ts';
import { CALL_FACTS } from '../../../../tests/support/providers/call-facts.ts';
import { createRandom } from '../../../../tests/support/random.ts';
import { toRuns } from '../../../../tests/support/thorough.ts';
import type { ProviderGateway } from '../../../core/ports/providers/gateway.ts';
import { createProviderGateway } from './gateway.ts';

/** Providers that are killed, and connections that break, at random moments of their calls. */

const KILLS = Number(process.env.KILLS ?? toRuns(200));

let folder: string;
let gateway: ProviderGateway;
let running: { url: string; close(): Promise<void> };
const isOffered = () => gateway.current()[0]?.state().status === 'ready';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-kills-'));
  gateway = createProviderGateway({ folder, now: Date.now, times: { heartbeatInterval: 100, resumeWindow: 1000 } });
  running = await gateway.start(() => undefined);
});
afterEach(async () => {
  await running.close();
  await rm(folder, { recursive: true, force: true });
});

async function add(key: string, wait: number): Promise<unknown> {
  const more = { ...CALL_FACTS, timeout: 10_000, signal: new AbortController().signal, onProgress: () => undefined };
  const answer = await gateway.current()[0]?.call({ name: 'ext.counter.add', input: { key, wait }, ...more });
  if (answer?.failed !== false) throw new Error('It failed.');
  return answer;
}

/** Counts open sockets and timers of this process; the test itself has a few timers. */
const count = (kind: RegExp) => process.getActiveResourcesInfo().filter((each) => kind.test(each)).length;
const countHandles = () => count(/TCP/) + Math.max(0, count(/Timeout/) - 3);

test(`${KILLS} killed processes: each call ends, and none runs twice`, { timeout: 900_000 }, async () => {
  const random = createRandom(20260125);
  const program = await buildKilledProgram('killed-provider', folder);
  const log = join(folder, 'log.txt');
  const token = await gateway.createToken('counter');
  const before = countHandles();
  const outcomes = new Map<string, 'done' | 'gone'>();
  const works: Promise<void>[] = [];
  for (let round = 0; round < KILLS; round += 1) {
    const child: ChildProcess = spawn(process.execPath, [program.script, log, running.url, token], {
      ...program.options,
      stdio: 'ignore',
    });
    await expect.poll(isOffered, { interval: 2 }).toBe(true);
    for (let index = 0; index < 5; index += 1) {
      const key = `${round}.${index}`;
      const work = add(key, Math.floor(random() * 12)).then(
        () => outcomes.set(key, 'done'),
        (error: unknown) => {
          expect(error).toMatchObject({ code: 'E_IO', reason: 'provider.gone' });
          outcomes.set(key, 'gone');
        },
      );
      works.push(work.then(() => undefined));
    }
    await sleep(random() * 15);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expect.poll(isOffered, { interval: 2 }).toBe(false);
  }
  await Promise.all(works);
  const runs = (await readFile(log, 'utf8')).split('\n').filter(Boolean);
  expect(new Set(runs).size).toBe(runs.length);
  expect(outcomes.size).toBe(5 * KILLS);
  for (const [key, outcome] of outcomes) if (outcome === 'done') expect(runs).toContain(key);
  const kinds = new Set(outcomes.values());
  expect([...kinds].sort()).toEqual(['done', 'gone']);
  await expect.poll(() => gateway.connections()).toEqual([]);
  await expect.poll(countHandles).toBeLessThanOrEqual(before);
});

test(`${KILLS} broken connections: each call is answered once, after the provider came back`, {
  timeout: 900_000,
}, async () => {
  const random = createRandom(20260126);
  const runs: string[] = [];
  const provider = createProvider({
    ...{ id: 'counter', name: 'Counter' },
    capabilities: {
      add: {
        ...{ type: 'action', name: 'Add', description: 'Counts.', parameters: { type: 'object' } },
        risk: { level: 'low', reason: 'A number of a test.' },
        async run({ key, wait }) {
          await sleep(Number(wait));
          runs.push(String(key));
          return { key: String(key) };
        },
      },
    },
  });
  const token = await gateway.createToken('counter');
  const connection = provider.connect({ url: running.url, token });
  await connection.ready;
  const outcomes: string[] = [];
  const works: Promise<unknown>[] = [];
  for (let round = 0; round < KILLS / 4; round += 1) {
    await expect.poll(isOffered, { interval: 2 }).toBe(true);
    for (let index = 0; index < 3; index += 1) {
      const key = `${round}.${index}`;
      const work = add(key, Math.floor(random() * 40));
      works.push(
        work.then(
          () => outcomes.push(`done ${key}`),
          (error) => outcomes.push(`${error.reason} ${key}`),
        ),
      );
    }
    await sleep(random() * 20);
    breakConnections();
    await expect.poll(isOffered, { interval: 2 }).toBe(false);
  }
  await Promise.all(works);
  connection.close();
  expect(new Set(runs).size).toBe(runs.length);
  expect(outcomes).toHaveLength(works.length);
  const done = outcomes.filter((each) => each.startsWith('done'));
  // A request that was on its way when the connection broke is lost, and ends without having run.
  const lost = outcomes.filter((each) => each.startsWith('provider.gone')).map((each) => each.split(' ')[1]);
  expect(done.length + lost.length).toBe(outcomes.length);
  for (const key of lost) expect(runs).not.toContain(key);
  expect(done.length).toBeGreaterThan(lost.length);
});

/** Destroys every socket of this process that is connected to the gateway, as a fault of the system would. */
function breakConnections(): void {
  const { port } = new URL(running.url);
  const handles = (process as unknown as { _getActiveHandles(): object[] })._getActiveHandles();
  for (const handle of handles as { remotePort?: number; destroy?(): void }[]) {
    if (handle.remotePort === Number(port)) handle.destroy?.();
  }
}
