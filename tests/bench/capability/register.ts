import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCapabilitySet } from '../../../main/core/capability/catalog/capability-set.ts';
import { followProviders } from '../../../main/core/capability/external/follow-providers.ts';
import { createProviderGateway } from '../../../main/node/providers/gateway/gateway.ts';
import { type Comparison, compare, time } from '../compare.ts';
import { toRegistration } from './offered.ts';

const PROVIDERS = 50;
const EACH = 20;
const QUIET_MS = 250;

/**
 * Measures 50 programs that connect at once with 1,000 capabilities, until all of them can be called, against one program with 20.
 * Sockets and parsing are part of it; the frames are written before.
 */
export async function benchRegister(): Promise<Comparison> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-gateway-'));
  const gateway = createProviderGateway({ folder, now: Date.now, times: { resumeWindow: 20 } });
  const set = createCapabilitySet([]);
  const providers = followProviders([gateway], { set, clock: { now: Date.now, id: () => crypto.randomUUID() } });
  const { url, close } = await gateway.start(() => undefined);
  const programs: { token: string; frame: string }[] = [];
  for (let index = 0; index < PROVIDERS; index += 1) {
    const id = `bench-${index}`;
    programs.push({ token: await gateway.createToken(id), frame: toRegistration(id, EACH) });
  }

  const child = fork(path.resolve('tests/bench/capability/programs.ts'), { stdio: 'inherit' });

  /** Resolves when the set has as many capabilities. */
  const reach = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (set.current().length !== count) return;
        off();
        resolve();
      };
      const off = set.on(look);
      look();
    });

  async function connect(count: number): Promise<number> {
    const milliseconds = await time(async () => {
      child.send(count);
      await reach(count * EACH);
    });
    child.send(0);
    await reach(0);
    // Changes that follow each other closely are read together; the next round begins after such a pause.
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    return milliseconds;
  }

  try {
    child.send({ url, programs });
    await once(child, 'message');
    return await compare({
      name: `${PROVIDERS} providers with ${PROVIDERS * EACH} capabilities register`,
      goal: { ratio: 20 },
      against: `one with ${EACH}`,
      rounds: 15,
      ours: () => connect(PROVIDERS),
      theirs: () => connect(1),
    });
  } finally {
    child.kill();
    providers.dispose();
    await close();
    await rm(folder, { recursive: true, force: true });
  }
}
