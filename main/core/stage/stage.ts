import type { Emit } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import type { StagePlace, StageSource, StageState } from '../../../shared/model/stage.ts';
import type { Locale } from '../../../shared/model/text.ts';
import { SCENE_FOLDER } from '../../../shared/script/index/project-facts.ts';
import { findSteps, toStageText, toStandingLine } from '../../../shared/script/story/stage-text.ts';
import { scanScene } from '../../../shared/script/syntax/scan.ts';
import type { Reader, StageEvent, StageLink } from '../ports.ts';
import type { Buffers, ProposalService, Stage } from '../services.ts';
import { toReferences } from './find-reference.ts';
import { createPreview } from './preview-scene.ts';
import type { Suspect } from './problem-searches.ts';
import { createSceneTexts, resolveScene } from './scene-texts.ts';
import { createStageProblems } from './stage-problems.ts';
import type { StageRun } from './stage-run.ts';
import { createTimers } from './timers.ts';
import { toProblem } from './to-problem.ts';
import { toShownStage } from './to-shown.ts';

/** Debounce of requests: a held arrow key requests many lines, of which only the last is shown. */
const SHOW_DELAY_MS = 80;
/** Debounce of text changes by the user or the assistant. */
const FOLLOW_DELAY_MS = 40;
/** Minimum interval between jumps after text changes, because older engines render every jump. */
const JUMP_INTERVAL_MS = 250;
const RELOAD_DELAY_MS = 400;
/** The engine runs the lines before the target in one step; after this time it counts as stuck. */
const STUCK_TIMEOUT_MS = 2500;
/** The engine reports its position every second, less often under load; after this time without a report it hangs. */
const SILENCE_TIMEOUT_MS = 15_000;
/** A page that reloads reconnects within about two seconds. */
const LOST_TIMEOUT_MS = 4000;

interface StagePorts {
  link: StageLink;
  /** The disk. */
  reader: Reader;
  buffers: Buffers;
  proposals: Pick<ProposalService, 'reader' | 'texts' | 'current' | 'on'>;
  emit: Emit;
  /** The language of the engine's own interface. */
  locale: () => Locale;
}

type Snapshot = Extract<StageEvent, { kind: 'snapshot' }>;

/**
 * Creates the stage of one open game. It shows the requested line of the text in the editor, follows changes of that text,
 * and reports what the engine could not load or run. `shown` is the state reported by the engine, not the request.
 */
export function createStage({ link, reader, buffers, proposals, emit, locale }: StagePorts): Stage {
  const texts = createSceneTexts({ reader, buffers, proposals });
  const problems = createStageProblems();
  const timers = createTimers();
  const watchers = new Set<() => void>();

  let state: StageState = { status: 'starting', url: null, place: null, shown: null, problems: [] };
  let origin: string | null = null;
  let run: StageRun | null = null;
  let last: Snapshot | null = null;
  let scenes: string[] = [];
  /** The source that `scenes` was listed for; null if it is outdated. */
  let listed: StageSource | null = null;
  let suspects: Suspect[] = [];
  let others: Suspect[] = [];
  let isConnected = false;
  let isDisposed = false;
  let isRefreshing = false;
  let isStale = false;
  let turn = 0;
  let jumpedAt = Number.NEGATIVE_INFINITY;

  const publish = (change: Partial<StageState> = {}): void => {
    if (isDisposed) return;
    const next: StageState = { ...state, ...change, problems: problems.list(suspects, others) };
    const statements = suspects.find(({ path }) => path === next.place?.path)?.statements;
    if (next.place && statements) {
      const at = next.shown?.scene === next.place.path && next.shown.line > 0 ? next.shown.line : next.place.line;
      next.steps = findSteps(statements, at);
    } else delete next.steps;
    const isNews = JSON.stringify(next) !== JSON.stringify(state);
    state = next;
    if (isNews) emit('stage.changed', state);
    for (const watcher of watchers) watcher();
  };

  const start = async (): Promise<string> => {
    const { url } = await link.start();
    if (origin === url) return url;
    origin = url;
    link.setOverlay(texts.overlay('saved'));
    publish({ url: `${url}/` });
    return url;
  };

  /** Reads the scenes that may cause problems: the requested and the displayed one, and all others if files are missing. */
  const readSuspects = async (): Promise<void> => {
    const source = state.place?.source ?? 'saved';
    const near = [...new Set([state.place?.path, state.shown?.scene])].filter((path) => path !== undefined);
    const read = (path: string): Promise<Suspect> =>
      texts.statements(path, source).then((statements) => ({ path, statements }));
    // Scene by scene: for all of a large game at once it would block the app.
    const readWithReferences = async (path: string): Promise<Suspect> => {
      const suspect = await read(path);
      toReferences(suspect.statements);
      return suspect;
    };
    const nearby = await Promise.all(near.filter((path) => path.startsWith(SCENE_FOLDER)).map(read));
    const far =
      problems.missingPaths().length > 0
        ? await Promise.all(scenes.filter((path) => !near.includes(path)).map(readWithReferences))
        : [];
    suspects = nearby;
    others = far;
  };

  const refresh = async (): Promise<void> => {
    await readSuspects();
    publish();
  };

  /** One refresh for all reports that arrive during another: each reads every scene. */
  const refreshSoon = (): void => {
    isStale = true;
    if (isRefreshing) return;
    isRefreshing = true;
    attempt(
      (async () => {
        try {
          while (isStale && !isDisposed) {
            isStale = false;
            await refresh();
          }
        } finally {
          isRefreshing = false;
        }
      })(),
    );
  };

  /** Sends the engine to the requested line of the current text. Unless forced, only if line or text changed. */
  const apply = async (isForced: boolean): Promise<void> => {
    turn += 1;
    const mine = turn;
    if (state.place?.source === 'proposal' && proposals.texts().size === 0) {
      publish({ place: { ...state.place, source: 'saved' } });
    }
    const { place } = state;
    link.setOverlay(texts.overlay(place?.source ?? 'saved'));
    if (!place) return;
    let text: string;
    try {
      text = await texts.read(place.path, place.source);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (mine !== turn || isDisposed) return;
      const reason = error.code === 'E_NOT_FOUND' ? 'missing-scene' : 'script-error';
      problems.block(toProblem(reason, error.code === 'E_NOT_FOUND' ? place.path : error.message, null));
      run = null;
      return refresh();
    }
    if (mine !== turn || isDisposed) return;
    problems.block(null);
    const line = toStandingLine(scanScene(text), place.line);
    const isSame = run?.path === place.path && run.line === line && run.text === text;
    if (isForced || !isSame) {
      run = { path: place.path, line, text, prepared: toStageText(text, line), settledAt: null };
      problems.restart();
      timers.clear('stuck');
      jumpedAt = performance.now();
      link.jump(place.path.slice(SCENE_FOLDER.length), run.prepared.engineLine, run.prepared.text);
      if (isConnected) startSilenceTimer();
    }
    // After the jump, because listing thousands of scenes takes longer than the jump.
    if (!scenes.includes(place.path) || place.source !== listed) {
      const known = await texts.list(place.source);
      if (mine !== turn || isDisposed) return;
      scenes = known;
      listed = place.source;
    }
    await refresh();
  };

  const applyLater = (after: number, isForced: boolean): void =>
    timers.set('apply', after, () => attempt(apply(isForced)));

  /** Sends the engine to the same line after a change of the text. */
  const follow = (): void =>
    applyLater(Math.max(FOLLOW_DELAY_MS, jumpedAt + JUMP_INTERVAL_MS - performance.now()), false);

  /** Reports background failures as stage problems. */
  const attempt = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => {
      problems.block(toProblem('script-error', error instanceof AppError ? error.message : 'The stage failed.', null));
      publish();
    });
  };

  const startSilenceTimer = (): void =>
    timers.set('silent', SILENCE_TIMEOUT_MS, () => {
      if (!isConnected) return;
      problems.stick(run && { path: run.path, line: run.line });
      publish({ status: 'lost' });
    });

  const watchProgress = (snapshot: Snapshot): void => {
    const isThere = run !== null && snapshot.jumped && snapshot.line >= run.prepared.engineLine;
    if (run && isThere) {
      run.settledAt ??= snapshot.line;
      problems.stick(null);
    }
    if (!run || !snapshot.jumped || isThere) {
      timers.clear('stuck');
      return;
    }
    const watched = run;
    timers.setOnce('stuck', STUCK_TIMEOUT_MS, () => {
      if (run !== watched || !last?.jumped || last.line >= watched.prepared.engineLine) return;
      problems.stick({ path: watched.path, line: watched.prepared.toLine(last.line) + 1 });
      publish();
    });
  };

  const handleSnapshot = (snapshot: Snapshot): void => {
    last = snapshot;
    timers.clear('silent');
    watchProgress(snapshot);
    const before = state.shown?.scene;
    const found = suspects.flatMap(({ statements }) => statements);
    const scene =
      snapshot.jumped && run ? run.path : (resolveScene(snapshot.scene, scenes, found) ?? snapshot.scene.slice(0, 500));
    const line = snapshot.jumped && run ? run.prepared.toLine(snapshot.line) : snapshot.line;
    publish({ status: 'ready', shown: { scene, line, ...toShownStage(snapshot.stage) } });
    if (scene !== before) attempt(refresh());
  };

  const handleConnected = (): void => {
    isConnected = true;
    timers.clear('lost');
    if (run) startSilenceTimer();
    publish({ status: 'ready' });
  };

  const handleDisconnected = (): void => {
    isConnected = false;
    last = null;
    timers.clear('silent');
    timers.clear('stuck');
    timers.clear('obey');
    timers.set('lost', LOST_TIMEOUT_MS, () => publish({ status: 'lost' }));
    publish({ status: 'starting', shown: null });
  };

  const handleEvent = (event: StageEvent): void => {
    if (isDisposed) return;
    if (event.kind === 'connected') handleConnected();
    else if (event.kind === 'disconnected') handleDisconnected();
    else if (event.kind === 'snapshot') handleSnapshot(event);
    else if (event.kind === 'missing') {
      if (problems.missing(event.path)) refreshSoon();
    } else if (problems.receive(event)) publish();
  };

  const show = (place: StagePlace): void => {
    // Only scenes can be played.
    if (!place.path.startsWith(SCENE_FOLDER)) return;
    // A request for the current line after the user played on jumps back to it.
    const isElsewhere = last !== null && (!last.jumped || last.line !== run?.settledAt);
    publish({ place: { ...place } });
    applyLater(SHOW_DELAY_MS, isElsewhere);
  };

  /** Moves the stage to another address, for a page that receives no messages because it hangs. */
  const move = async (): Promise<void> => {
    const { url } = await link.move();
    if (isDisposed) return;
    origin = url;
    publish({ url: `${url}/`, status: 'starting', shown: null });
    timers.set('lost', LOST_TIMEOUT_MS, () => publish({ status: 'lost' }));
  };

  const reload = (): void => {
    problems.restart();
    problems.forgetMissing();
    link.reload();
    publish({ status: 'starting' });
    // A game whose script hangs does not reload; `handleDisconnected` clears the timer.
    if (isConnected) timers.set('obey', LOST_TIMEOUT_MS, () => attempt(move()));
    else timers.set('lost', LOST_TIMEOUT_MS, () => publish({ status: 'lost' }));
  };

  const reloadOnRequest = (): void => {
    const isLost = state.status === 'lost' || (state.status === 'starting' && !isConnected);
    reload();
    if (isLost) attempt(move());
  };

  const stops = [link.on(handleEvent), buffers.on(follow), proposals.on(follow)];
  attempt(start());

  return {
    state: () => state,
    show,
    reload: reloadOnRequest,
    report({ kind, text }) {
      if (kind === 'exception') handleEvent({ kind: 'trouble', level: 'exception', text });
      else if (text.includes('[ERROR]')) handleEvent({ kind: 'trouble', level: 'error', text });
    },
    filesChanged(paths) {
      const inGame = paths.filter((path) => path.startsWith('game/'));
      if (inGame.some((path) => path.startsWith(SCENE_FOLDER))) {
        listed = null;
        follow();
      }
      // The engine reads images, animations and settings only once.
      if (inGame.some((path) => !path.startsWith(SCENE_FOLDER))) timers.set('reload', RELOAD_DELAY_MS, reload);
    },
    preview: createPreview({
      proposals,
      locale,
      start,
      state: () => state,
      run: () => run,
      isConnected: () => isConnected,
      warnings: problems.warnings,
      async showNow(place) {
        publish({ place });
        timers.clear('apply');
        await apply(true);
      },
      watch(watcher) {
        watchers.add(watcher);
        return () => watchers.delete(watcher);
      },
    }),
    dispose() {
      isDisposed = true;
      timers.clearAll();
      watchers.clear();
      for (const stop of stops) stop();
    },
  };
}
