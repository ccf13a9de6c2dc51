import { benchAccept } from '../tests/bench/accept.ts';
import { toLine } from '../tests/bench/compare.ts';
import { benchDesktop } from '../tests/bench/desktop-rows.ts';
import { benchFirstToken } from '../tests/bench/first-token.ts';
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
import { benchMcpProject } from '../tests/bench/mcp/game.ts';
import { benchMcpValidate } from '../tests/bench/mcp/validate.ts';
import { benchPage } from '../tests/bench/page/page-rows.ts';
import { benchProjection } from '../tests/bench/projection.ts';
import { benchReadyToPaint } from '../tests/bench/ready-to-paint.ts';
import { benchSearch } from '../tests/bench/search.ts';
import { benchSnapshotGrowth, benchSnapshotList } from '../tests/bench/snapshots.ts';
import { benchSoak } from '../tests/bench/soak/soak.ts';
import { SOAK_HOSTS } from '../tests/bench/soak/soak-app.ts';
import { benchStageFollow, benchStageJump } from '../tests/bench/stage.ts';
import { benchStoryMap } from '../tests/bench/story-map.ts';
import { benchStoryMapPage } from '../tests/bench/story-map-page.ts';
import { benchWritePath } from '../tests/bench/write-path.ts';
import { buildStale } from './build.ts';

/**
 * Runs the benchmarks. Results are ratios measured in one run, because absolute times depend on the machine. Each row contains
 * the state of the caches (cold, warm), the goal and whether it was met.
 */
await buildStale((line) => console.log(line));
// `npm run bench -- desktop` measures only the window, `-- desktop idle` one row.
if (process.argv[2] === 'desktop') {
  for await (const line of benchDesktop(process.argv[3])) console.log(line);
  process.exit(0);
}
// `-- page` measures the page of big games, `-- page streaming` one row.
if (process.argv[2] === 'page') {
  for await (const line of benchPage(process.argv[3])) console.log(line);
  process.exit(0);
}
// `npm run bench -- stage` measures only the stage, in a browser.
if (process.argv[2] === 'stage') {
  for (const bench of [benchStageJump, benchStageFollow]) console.log(toLine(await bench()));
  process.exit(0);
}
// `npm run bench -- soak 60 electron` uses the app for an hour; not part of a complete run.
if (process.argv[2] === 'soak') {
  const host = SOAK_HOSTS.find((name) => name === (process.argv[4] ?? 'web'));
  const minutes = Number(process.argv[3] ?? 60);
  if (!host || !(minutes > 0)) throw new Error('Usage: npm run bench -- soak MINUTES web|electron');
  for await (const line of benchSoak(minutes, host)) console.log(line);
  process.exit(0);
}
console.log(benchMemory());
console.log(benchCorpusMemory() ?? 'memory for published games: skipped, none are beside the repository');
console.log(toLine(await benchCheck()));
const corpus = await benchCorpusCheck();
console.log(corpus ? toLine(corpus) : 'check of published games: skipped, none are beside the repository');
for (const bench of [benchKeystroke, benchStructuralKeystroke]) {
  const { comparison, slowest } = await bench();
  console.log(`${toLine(comparison)}\n${slowest}`);
}
console.log(toLine(await benchGrowth()));
for await (const growth of benchOddGrowth()) console.log(toLine(growth));
console.log(toLine(await benchStoryMap()));
for await (const line of benchStoryMapPage(10)) console.log(line);
for await (const row of benchSearch()) console.log(toLine(row));
for await (const line of benchMcpProject()) console.log(line);
for await (const row of benchProjection()) console.log(toLine(row));
for (const bench of [
  benchWritePath,
  benchAccept,
  benchSnapshotList,
  benchSnapshotGrowth,
  benchMcpValidate,
  benchFirstToken,
  benchReadyToPaint,
  benchStageJump,
  benchStageFollow,
])
  console.log(toLine(await bench()));
for await (const line of benchPage()) console.log(line);
for await (const line of benchDesktop()) console.log(line);
// Open connections of a fetch must not delay the exit.
process.exit(0);
