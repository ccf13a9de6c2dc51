import type { Emit } from '../../../../shared/contract.ts';
import { AppError, toErrorData } from '../../../../shared/errors.ts';
import { playtestTexts } from '../../../../shared/i18n/playtest.ts';
import type { Locale } from '../../../../shared/model/local-text.ts';
import type {
  PlayedScene,
  PlaytestRequest,
  PlaytestResult,
  PlaytestState,
} from '../../../../shared/model/playtest/playtest-state.ts';
import { DEFAULT_BUDGET } from '../../../../shared/model/playtest/report.ts';
import type { RouteRequest } from '../../../../shared/model/playtest/story-tests-file.ts';
import type { TriedRoute } from '../../../../shared/model/playtest/tried-route.ts';
import type { PlaytestPorts } from '../../ports/engine-pages.ts';
import type { Clock } from '../../ports/host.ts';
import type { Reader } from '../../ports/reader.ts';
import type { GameEngine } from '../../ports/workspace.ts';
import type { Writer } from '../../ports/writer.ts';
import type { Buffers, ProposalService } from '../../services.ts';
import { createTimers } from '../../timers.ts';
import { toPlaytestJson, toPlaytestJunit } from '../format-report.ts';
import { playRoute, runPlaytest } from '../run-playtest.ts';
import { type KeptRest, readRunParts, requireRest } from './kept-rest.ts';
import { type LastPlaytest, toLast } from './last-playtest.ts';
import { createPause } from './pause.ts';
import { readPlayedGame } from './read-played-game.ts';
import { toRunning } from './single-run.ts';
import { createStoryTestsService, type StoryTestsService } from './story-tests-file.ts';

/** Minimum time between two events. */
const NEWS_INTERVAL_MS = 100;
/** After the last keystroke. */
const COMPARE_DELAY_MS = 500;

/** The playtest of the open game: one run at a time, and its last result. */
export interface PlaytestService {
  state(): PlaytestState;
  /** Starts a run. Throws `E_CONFLICT` (`playtest.running`) while one runs. */
  start(request: PlaytestRequest): void;
  /** Plays one route and returns what it reached. Throws as a playtest, and `E_TIMEOUT` (`playtest.stopped`) when it is stopped. */
  tryRoute(request: RouteRequest): Promise<TriedRoute>;
  /** The tests of the story. */
  tests: StoryTestsService;
  pause(): void;
  resume(): void;
  stop(): void;
  result(): PlaytestResult | null;
  scene(path: string): PlayedScene | null;
  /** Throws `E_NOT_FOUND` (`playtest.noResult`). */
  export(format: 'json' | 'junit'): string;
  /** Reports changes on disk, after which marks of the last run may be out of date. */
  filesChanged(paths: readonly string[]): void;
  /** Ends the run; resolves when its page is closed. */
  dispose(): Promise<void>;
}

export interface PlaytestServiceOptions {
  ports: PlaytestPorts;
  reader: Reader;
  writer: Writer;
  buffers: Pick<Buffers, 'all' | 'on'>;
  proposals: Pick<ProposalService, 'texts'>;
  engine: GameEngine;
  clock: Clock;
  emit: Emit;
  locale: () => Locale;
  onFault: (fault: { where: string; error: unknown }) => void;
}

/** What the service of one open game knows. */
interface Memory {
  run: Run | null;
  last: LastPlaytest | null;
  /** What the last run of the routes left; null if it left nothing. */
  rest: KeptRest | null;
  /** Of the last result. */
  number: number;
  error: PlaytestState['error'];
  request: PlaytestRequest | null;
}

/** Creates the service of one open game. */
export function createPlaytestService(options: PlaytestServiceOptions): PlaytestService {
  const { clock, emit, buffers } = options;
  const timers = createTimers();
  const memory: Memory = { run: null, last: null, rest: null, number: 0, error: null, request: null };
  let newsAt = 0;

  const tell = (): void => {
    timers.clear('news');
    newsAt = clock.now();
    emit('playtest.changed', { playtest: toState(memory) });
  };
  /** Bounds the news of a run. */
  const tellLater = (): void => timers.setOnce('news', Math.max(0, newsAt + NEWS_INTERVAL_MS - clock.now()), tell);

  const compare = (paths: readonly string[]): void =>
    void compareTexts(options, memory.last, paths).then(
      (changed) => changed !== null && changed === memory.last && tell(),
      (fault: unknown) => options.onFault({ where: 'marks of the playtest', error: fault }),
    );
  const unwatch = buffers.on(() => {
    if (memory.last === null) return;
    timers.set('compare', COMPARE_DELAY_MS, () => compare(memory.last?.openPaths([...buffers.all().keys()]) ?? []));
  });
  /** Lets one run begin; another is refused. */
  const begin = <T>(work: (own: Run) => Promise<T>): Promise<T> => {
    if (memory.run !== null) throw toRunning();
    const own = createRun(() => performance.now(), tell);
    memory.run = own;
    memory.error = null;
    const worked = work(own).finally(() => {
      memory.run = null;
      tell();
    });
    own.ended = worked.then(toNothing, toNothing);
    tell();
    return worked;
  };

  return {
    state: () => toState(memory),
    start(request) {
      void begin((own) => {
        memory.request = request;
        return play(options, memory, { own, request, onProgress: tellLater });
      });
    },
    tryRoute: async (asked) => begin((own) => playRouteOnce(options, own, asked)),
    tests: createStoryTestsService(options),
    pause: () => memory.run?.pause.pause(),
    resume: () => memory.run?.pause.resume(),
    stop: () => memory.run?.stop(),
    result: () => memory.last?.result ?? null,
    scene: (path) => memory.last?.scene(path) ?? null,
    export: (format) => exportReport(memory.last, format, options.locale()),
    filesChanged: compare,
    async dispose() {
      unwatch();
      timers.clearAll();
      memory.run?.stop();
      await memory.run?.ended;
      timers.clearAll();
    },
  };
}

const toNothing = (): void => undefined;

function toState({ run, last, rest, number, error, request }: Memory): PlaytestState {
  return {
    status: run?.status() ?? 'idle',
    request,
    progress: run?.progress ?? null,
    ms: Math.max(0, Math.round(run?.elapsed() ?? 0)),
    result: number,
    resumable: rest?.source ?? null,
    changed: last?.changed() ?? [],
    error,
  };
}

/** Plays what the request wants, and keeps its result or why there is none. Never rejects. */
async function play(
  options: PlaytestServiceOptions,
  memory: Memory,
  { own, request, onProgress }: { own: Run; request: PlaytestRequest; onProgress: () => void },
): Promise<void> {
  try {
    const ended = await playOnce(options, { own, asked: request, before: memory.rest, onProgress });
    if (ended === null) return;
    if (ended.rest !== undefined) memory.rest = ended.rest;
    memory.number += 1;
    memory.last = toLast({ ...ended, number: memory.number, at: options.clock.now(), request, before: memory.last });
  } catch (failure) {
    if (own.signal.aborted) return;
    if (failure instanceof AppError && failure.reason === 'playtest.gameChanged') memory.rest = null;
    if (!(failure instanceof AppError)) options.onFault({ where: 'playtest', error: failure });
    memory.error = toErrorData(failure);
  }
}

/** Compares present texts with those of a result. Returns the result if its changed scenes are others now. */
async function compareTexts(
  { buffers, reader }: Pick<PlaytestServiceOptions, 'buffers' | 'reader'>,
  last: LastPlaytest | null,
  paths: readonly string[],
): Promise<LastPlaytest | null> {
  const isNews = await last?.compare(paths, async (path) => {
    const text = buffers.all().get(path);
    return text ?? (await reader.read(path).catch(() => null))?.text ?? null;
  });
  return isNews === true ? last : null;
}

function exportReport(last: LastPlaytest | null, format: 'json' | 'junit', locale: Locale): string {
  if (last === null) throw new AppError('E_NOT_FOUND', 'Nothing was played yet.', { reason: 'playtest.noResult' });
  return format === 'json'
    ? toPlaytestJson(last.report)
    : toPlaytestJunit(last.report, playtestTexts.createTranslator(locale));
}

/** One run: its clock, which stands still during a pause, and how it is ended. */
interface Run {
  signal: AbortSignal;
  pause: ReturnType<typeof createPause>;
  progress: PlaytestState['progress'];
  ended: Promise<void>;
  elapsed(): number;
  status(): 'running' | 'pausing' | 'paused';
  stop(): void;
}

function createRun(now: () => number, onChange: () => void): Run {
  const control = new AbortController();
  const pause = createPause({ now, onChange });
  const began = now();
  return {
    signal: control.signal,
    pause,
    progress: null,
    ended: Promise.resolve(),
    elapsed: () => now() - began - pause.lasted(),
    status: pause.status,
    stop() {
      control.abort();
      pause.resume();
    },
  };
}

/** Plays the game as the request wants it; null for a run that ended before it began. */
async function playOnce(
  options: PlaytestServiceOptions,
  {
    own,
    asked,
    before,
    onProgress,
  }: { own: Run; asked: PlaytestRequest; before: KeptRest | null; onProgress: () => void },
) {
  const game = await readPlayedGame(options, { source: asked.source, signal: own.signal });
  const { index, texts } = game;
  const tests = game.tests.filter(({ name }) => asked.test === undefined || name === asked.test);
  const parts = asked.onlyTests ? [] : await readRunParts(options.ports, { reader: options.reader, index });
  const from = asked.resumes ? requireRest(before, parts) : null;
  if (own.signal.aborted) return null;
  /** Stays undefined where nothing was played of the routes. */
  let rest: KeptRest | null | undefined;
  const report = await runPlaytest(options.ports, {
    ...{ index, texts, tests, onlyTests: asked.onlyTests, budget: DEFAULT_BUDGET },
    now: own.elapsed,
    signal: own.signal,
    pause: own.pause.wait,
    ...(from && { from }),
    onRest(run) {
      rest = run && { run, source: asked.source, parts };
    },
    onProgress(progress) {
      own.progress = progress;
      onProgress();
    },
  });
  const scenes = new Map([...index.scenes()].map(({ path, text }) => [path, text]));
  return { report, scenes, rest };
}

/** Plays one route as a test that expects nothing. */
async function playRouteOnce(
  options: PlaytestServiceOptions,
  { signal }: Run,
  { source, choose, inputs }: RouteRequest,
): Promise<TriedRoute> {
  try {
    const { index, texts } = await readPlayedGame(options, { source, signal, withTests: false });
    signal.throwIfAborted();
    const test = { name: '', choose, ...(inputs && { inputs }), expect: {} };
    return await playRoute(options.ports, { index, texts, test, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new AppError('E_TIMEOUT', 'The playtest was stopped.', { reason: 'playtest.stopped', cause: error });
  }
}
