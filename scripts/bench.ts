import { benchAccept } from '../tests/bench/accept.ts';
import { benchPlan } from '../tests/bench/agent/plan.ts';
import { benchDiscovery } from '../tests/bench/capability/discovery.ts';
import { benchExternalCall } from '../tests/bench/capability/external-call.ts';
import { benchFirstTokenWithProviders } from '../tests/bench/capability/first-token-with-providers.ts';
import { benchRegister } from '../tests/bench/capability/register.ts';
import { type Comparison, toLine } from '../tests/bench/compare.ts';
import { benchDesktop } from '../tests/bench/desktop-rows.ts';
import { benchFirstToken } from '../tests/bench/first-token.ts';
import { benchCheckpoints } from '../tests/bench/kept/checkpoints.ts';
import { benchSnapshotGrowth, benchSnapshotList } from '../tests/bench/kept/snapshots.ts';
import {
  benchCheck,
  benchCorpusCheck,
  benchCorpusMemory,
  benchGrowth,
  benchKeystroke,
  benchMemory,
  benchOddGrowth,
  benchStructuralKeystroke,
} from '../tests/bench/language.ts';
import { benchAuditLog } from '../tests/bench/logs/audit-log.ts';
import { benchSessionLog } from '../tests/bench/logs/session-log.ts';
import { benchMcpProject } from '../tests/bench/mcp/game.ts';
import { benchMcpValidate } from '../tests/bench/mcp/validate.ts';
import { benchPage } from '../tests/bench/page/page-rows.ts';
import { benchPlaytest } from '../tests/bench/playtest.ts';
import { benchProjection } from '../tests/bench/projection.ts';
import { benchReadyToPaint } from '../tests/bench/ready-to-paint.ts';
import { benchSearch } from '../tests/bench/search.ts';
import { benchSoak } from '../tests/bench/soak/soak.ts';
import { SOAK_HOSTS } from '../tests/bench/soak/soak-app.ts';
import { benchStageFollow, benchStageJump, benchStagePicture, benchStageReady } from '../tests/bench/stage.ts';
import { benchStoryMap } from '../tests/bench/story-map.ts';
import { benchTransactionLog } from '../tests/bench/write/transaction-log.ts';
import { benchWritePath } from '../tests/bench/write-path.ts';
import { buildStale } from './build.ts';

type Lines = AsyncIterable<string> | Iterable<string>;

/** The groups of rows, in the order of a complete run. `row` selects one row of a group that has named rows. */
const GROUPS: Readonly<Record<string, (row?: string) => Lines>> = {
  memory: function* () {
    yield benchMemory();
    yield benchCorpusMemory() ?? 'memory for published games: skipped, none are beside the repository';
  },
  check: async function* () {
    yield toLine(await benchCheck());
    const corpus = await benchCorpusCheck();
    yield corpus ? toLine(corpus) : 'check of published games: skipped, none are beside the repository';
  },
  keystroke: async function* () {
    for (const bench of [benchKeystroke, benchStructuralKeystroke]) {
      const { comparison, slowest } = await bench();
      yield `${toLine(comparison)}\n${slowest}`;
    }
  },
  growth: async function* () {
    yield toLine(await benchGrowth());
    yield* toLines(benchOddGrowth());
  },
  map: () => toLines([benchStoryMap]),
  search: () => toLines(benchSearch()),
  mcp: async function* () {
    yield* benchMcpProject();
    yield toLine(await benchMcpValidate());
  },
  capabilities: async function* () {
    yield toLine(await benchExternalCall());
    yield toLine(await benchRegister());
    yield* toLines(benchDiscovery());
    yield toLine(await benchFirstTokenWithProviders());
  },
  agent: async function* () {
    yield* toLines(benchProjection());
    yield toLine(await benchSessionLog());
    yield* benchAuditLog();
    yield toLine(await benchFirstToken());
    yield toLine(await benchPlan());
  },
  write: async function* () {
    yield* toLines([benchWritePath, benchAccept, benchSnapshotList, benchSnapshotGrowth]);
    yield* toLines(benchTransactionLog());
  },
  checkpoints: benchCheckpoints,
  paint: () => toLines([benchReadyToPaint]),
  stage: () => toLines([benchStageReady, benchStageJump, benchStageFollow, benchStagePicture]),
  playtest: () => toLines([benchPlaytest]),
  page: benchPage,
  desktop: benchDesktop,
};

async function* toLines(rows: AsyncIterable<Comparison> | Iterable<() => Promise<Comparison>>): AsyncGenerator<string> {
  for await (const row of rows) yield toLine(typeof row === 'function' ? await row() : row);
}

/**
 * Runs the benchmarks. Results are ratios measured in one run, because absolute times depend on the machine. Each row contains
 * the state of the caches (cold, warm), the goal and whether it was met.
 * `npm run bench` runs all groups, `npm run bench -- GROUP [ROW]` one. A group that fails does not stop the others.
 * `npm run bench -- soak MINUTES web|electron` uses the app for a time; it is not part of a complete run.
 */
async function main([group, row, host]: readonly string[]): Promise<void> {
  await buildStale((line) => console.log(line));
  if (group === 'soak') return soak(Number(row ?? 60), host ?? 'web');
  if (group !== undefined && !Object.hasOwn(GROUPS, group))
    throw new Error(`There is no group ${group}. The groups: ${Object.keys(GROUPS).join(', ')}, soak.`);
  for (const [name, bench] of Object.entries(GROUPS)) {
    if (group !== undefined && group !== name) continue;
    try {
      for await (const line of bench(row)) console.log(line);
    } catch (error) {
      process.exitCode = 1;
      console.log(`${name}: FAILED`);
      console.error(error);
    }
  }
}

async function soak(minutes: number, wanted: string): Promise<void> {
  const host = SOAK_HOSTS.find((name) => name === wanted);
  if (!host || !(minutes > 0)) throw new Error('Usage: npm run bench -- soak MINUTES web|electron');
  for await (const line of benchSoak(minutes, host)) console.log(line);
}

await main(process.argv.slice(2));
// Open connections of a fetch must not delay the exit.
process.exit();
