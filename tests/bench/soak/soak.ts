import { storyScript } from '../../support/games/story-script.ts';
import { createFakeModelServer } from '../../support/services/fake-model-server.ts';
import { toSlope } from '../../support/slope.ts';
import { playRound } from './play-round.ts';
import { readSample, type Sample } from './read-sample.ts';
import { openSoakApp, type SoakHost } from './soak-app.ts';
import { writeSnapshots } from './write-snapshots.ts';

/** Growth in the first minutes is not counted: compiled code, bounded caches. At max a third of a run. */
const WARM_UP_MINUTES = 5;
/** Folder for heap snapshots after the warm-up and at the end; none are written without it. */
const SNAPSHOTS = process.env.SOAK_SNAPSHOTS;
/** Time for the background work of a round: autosave, snapshots, the engine's pictures. */
const REST_MS = 3000;

/** Maximum growth per minute. Limits of counts allow one temporary item. */
const GOALS: { [K in keyof Sample]?: { name: string; unit: string; max: number } } = {
  openFiles: { name: 'open files', unit: '', max: 0.1 },
  listeners: { name: 'listeners of the page', unit: '', max: 1 },
  nodes: { name: 'nodes of the page', unit: '', max: 5 },
  pageHeap: { name: 'heap of the page', unit: ' MiB', max: 0.5 },
  serverHeap: { name: 'heap of the server', unit: ' MiB', max: 0.5 },
};

/** Uses the app for `minutes`, faster than a user, and yields the growth of its resources. */
export async function* benchSoak(minutes: number, host: SoakHost): AsyncGenerator<string> {
  const model = await createFakeModelServer(storyScript);
  const app = await openSoakApp(host);
  const samples: { at: number; sample: Sample }[] = [];
  try {
    const session = await app.page.context().newCDPSession(app.page);
    await session.send('Performance.enable');
    await app.page.getByTestId('code').locator('.view-line').first().waitFor({ timeout: 60_000 });
    await app.call('settings.choose', { provider: 'custom', choice: { baseUrl: model.url, model: 'fake' } });
    await app.call('settings.update', { provider: 'custom' });
    await app.call('chat.create', {});
    const startedAt = performance.now();
    const elapsed = () => (performance.now() - startedAt) / 60_000;
    let snapshots = 0;
    for (let round = 0; elapsed() < minutes; round += 1) {
      await playRound(app, round);
      await app.page.waitForTimeout(REST_MS);
      // The service's list of requests is not part of the app.
      model.requests.length = 0;
      const sample = await readSample(app, session);
      samples.push({ at: elapsed(), sample });
      yield toSampleLine(elapsed(), sample);
      const isDue = snapshots === 0 ? elapsed() > toWarmUp(minutes) : elapsed() >= minutes;
      if (SNAPSHOTS === undefined || !isDue) continue;
      snapshots += 1;
      await writeSnapshots(app, session, { folder: SNAPSHOTS, name: `${snapshots}` });
    }
  } finally {
    await app.close();
    await model.close();
  }
  yield* toRows(samples, { minutes, host });
}

function toWarmUp(minutes: number): number {
  return Math.min(WARM_UP_MINUTES, minutes / 3);
}

function* toRows(samples: { at: number; sample: Sample }[], { minutes, host }: { minutes: number; host: SoakHost }) {
  const from = toWarmUp(minutes);
  const counted = samples.filter(({ at }) => at >= from);
  yield `soak, ${host}: ${samples.length} rounds in ${minutes} minutes, each with an accepted draft; growth a minute after the first ${from.toFixed(1)}`;
  for (const key of Object.keys(counted[0]?.sample ?? {}) as (keyof Sample)[]) {
    const slope = toSlope(counted.map(({ at, sample }) => ({ at, value: sample[key] })));
    const goal = GOALS[key];
    const name = goal?.name ?? key;
    const verdict = goal ? `goal ≤ ${goal.max}${goal.unit}: ${slope <= goal.max ? 'met' : 'MISSED'}` : 'no goal set';
    yield `soak, ${host}: ${name} ${slope >= 0 ? '+' : ''}${slope.toFixed(2)}${goal?.unit ?? ''} a minute; ${verdict}`;
  }
}

function toSampleLine(minute: number, sample: Sample): string {
  const figures = Object.entries(sample).map(([name, value]) => `${name} ${Number(value.toFixed(1))}`);
  return `minute ${minute.toFixed(1)}: ${figures.join(', ')}`;
}
