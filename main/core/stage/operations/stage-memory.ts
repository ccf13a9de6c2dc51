import { createRepeater } from '../../../../shared/async.ts';
import type { Emit } from '../../../../shared/contract.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { Locale } from '../../../../shared/model/local-text.ts';
import type { StageRoute } from '../../../../shared/model/stage/stage-route.ts';
import type {
  StageFork,
  StageReplay,
  StageSource,
  StageState,
  StageWay,
  StoryValue,
} from '../../../../shared/model/stage.ts';
import { findSteps } from '../../../../shared/script/story/stage-text.ts';
import type { Reader } from '../../ports/reader.ts';
import type { StageEvent, StageLink } from '../../ports/stage-link.ts';
import type { Buffers, ProposalService } from '../../services.ts';
import { createTimers, type Timers } from '../../timers.ts';
import type { PreferredTerre } from '../prefer-terre.ts';
import type { Suspect } from '../problems/problem-searches.ts';
import { createStageProblems, type StageProblems } from '../problems/stage-problems.ts';
import { toProblem } from '../problems/to-problem.ts';
import type { Sentence } from '../route/sentence.ts';
import { hasMovedOn, toStageRoute } from '../route/to-stage-route.ts';
import { createSceneRoutes, type SceneRoutes } from '../scenes/scene-routes.ts';
import { createSceneTexts, type SceneTexts } from '../scenes/scene-texts.ts';
import type { StageEngines } from '../stage-engines.ts';
import type { StageRun } from '../stage-run.ts';

export interface StagePorts {
  link: StageLink;
  /** The disk. */
  reader: Reader;
  buffers: Buffers;
  proposals: Pick<ProposalService, 'reader' | 'texts' | 'played' | 'current' | 'on'>;
  emit: Emit;
  /** Absent where the app's engine is the only one. */
  engines?: StageEngines | undefined;
  /** Absent where the host has no previews in other programs. */
  terre?: PreferredTerre | undefined;
  /** The language of the engine's own interface. */
  locale: () => Locale;
}

/** A way back to the sentence that was on the stage, after the text changed or the engine was loaded anew. */
export interface Replay extends Sentence {
  /** The stop before the sentence is meant, which is known once the story has come to the sentence. */
  isBack: boolean;
  /** The stop after so many orders to the engine is meant instead; null: it is not known. */
  orders: number | null;
  hasBegun: boolean;
  /** True until the page of the engine has gone that is loaded anew. */
  isReloading: boolean;
}

export type StageSnapshot = Extract<StageEvent, { kind: 'snapshot' }>;

/** The memory of one stage, shared by the operations beside it. */
export interface StageMemory extends Pick<StagePorts, 'link' | 'proposals' | 'emit'> {
  readonly engines: StageEngines | null;
  readonly terre: PreferredTerre | null;
  /** Asks again whether Terre has the game. */
  askTerre: () => void;
  readonly texts: SceneTexts;
  readonly routes: SceneRoutes;
  readonly problems: StageProblems;
  readonly timers: Timers;
  /** Called after each publication. */
  readonly watchers: Set<() => void>;
  /** What was published last. */
  state: StageState;
  /** The address of the running stage; null before its start. */
  origin: string | null;
  run: StageRun | null;
  /** True while there is no request because another program moved the story. */
  isLed: boolean;
  /** The last requests, by the numbers of their jumps. */
  readonly jumps: Map<number, StageRun>;
  /** The engine's last report; null while no page is connected, and from a move by Terre to the next report. */
  last: StageSnapshot | null;
  /** Variables that are kept for all stories, as reported last; and as they were where the route began, null before. */
  globals: Record<string, StoryValue>;
  globalsBefore: Record<string, StoryValue> | null;
  scenes: string[];
  /** The source that `scenes` was listed for; null if it is outdated. */
  listed: StageSource | null;
  suspects: Suspect[];
  /** The scenes that the engine names by the label of the option that led there. */
  readonly chosenScenes: Map<string, string>;
  others: Suspect[];
  /** The ways that the user chose, by scene: the menu's line when it was chosen and the option's text, or 0 and a scene. */
  readonly ways: Map<string, { line: number; text: string }[]>;
  /** What the player did since the last jump. */
  route: StageRoute;
  /** True from a step of the player to the next report of the engine. */
  isAhead: boolean;
  /** What the user recorded until the stage was sent elsewhere; until it is saved or dismissed. */
  endedRoute: StageRoute | null;
  /** The text of the scene on the stage when the story came to it. */
  played: { path: string; text: string } | null;
  replay: Replay | null;
  /** A sentence in front of which playing back stopped at a menu, and how many steps the way had there; null once the player went on. */
  unreached: { sentence: Sentence; steps: number } | null;
  /** The sentence to which the story was played back last, and after how many orders; null once it moved on. */
  arrival: { scene: string; line: number; orders: number } | null;
  /** Present while the story is played on to its next choice. */
  skip: symbol | null;
  /** What the interface says of it. */
  replayNote: StageReplay | null;
  forks: readonly StageFork[];
  /** What was assumed for the last jump. */
  way: StageWay | null;
  /** Files of the game, no scenes, that changed and are not shown yet. */
  readonly changedFiles: Set<string>;
  isConnected: boolean;
  isDisposed: boolean;
  /** Searches for problems once for all reports that arrive during another search: each reads every scene. */
  readonly refreshOnce: () => Promise<void>;
  /** True from a request to its jump: what the engine reports meanwhile is of the last one. */
  awaitsJump: boolean;
  /** Incremented with each request: compare it after an `await`, because another request may have begun. */
  turn: number;
  /** When the engine was last sent to a line, in ms of `performance.now`. */
  jumpedAt: number;
}

/** `refresh` reads the scenes that may cause problems, and publishes the problems. */
export function createStageMemory(
  { link, reader, buffers, proposals, emit, engines, terre }: StagePorts,
  refresh: (stage: StageMemory) => Promise<void>,
): StageMemory {
  const texts = createSceneTexts({ reader, buffers, proposals });
  const stage: StageMemory = {
    ...{ link, proposals, emit, engines: engines ?? null, terre: terre ?? null },
    askTerre: () => undefined,
    ...{ texts, routes: createSceneRoutes(texts) },
    problems: createStageProblems(),
    timers: createTimers(),
    watchers: new Set(),
    state: { status: 'starting', url: null, place: null, isAtPlace: false, shown: null, problems: [] },
    origin: null,
    run: null,
    isLed: false,
    jumps: new Map(),
    last: null,
    ...{ globals: {}, globalsBefore: null },
    scenes: [],
    listed: null,
    suspects: [],
    chosenScenes: new Map(),
    others: [],
    ways: new Map(),
    route: { steps: [], isRecording: false, isOver: false, hasSetVariable: false },
    isAhead: false,
    endedRoute: null,
    played: null,
    replay: null,
    ...{ unreached: null, arrival: null },
    skip: null,
    replayNote: null,
    forks: [],
    way: null,
    changedFiles: new Set(),
    isConnected: false,
    isDisposed: false,
    refreshOnce: createRepeater(async () => {
      if (!stage.isDisposed) await refresh(stage);
    }),
    ...{ awaitsJump: false, turn: 0 },
    jumpedAt: Number.NEGATIVE_INFINITY,
  };
  return stage;
}

/** Returns whether the engine is at the place to which another program moved the story, by its last report. */
function isLedTo({ last, isLed }: StageMemory, { place, shown }: StageState): boolean {
  return isLed && last !== null && place !== null && shown?.scene === place.path && shown.line >= place.line;
}

/** Publishes a change of the state together with the current problems. */
export function publish(stage: StageMemory, change: Partial<StageState> = {}): void {
  if (stage.isDisposed) return;
  const { suspects, others, problems, run } = stage;
  const next: StageState = { ...stage.state, ...change, problems: problems.list(suspects, others) };
  // Until its jump, a request can be of the line to which the engine was sent before and from which the story has gone on.
  const isRequested =
    run !== null && !stage.awaitsJump && run.path === next.place?.path && run.asked === next.place.line;
  next.isAtPlace = run === null ? isLedTo(stage, next) : isRequested && run.settledAt !== null;
  if (stage.replayNote) next.replay = stage.replayNote;
  else delete next.replay;
  const route = toStageRoute(stage);
  if (route) next.route = route;
  else delete next.route;
  if (hasMovedOn(stage)) next.hasMovedOn = true;
  else delete next.hasMovedOn;
  if (stage.endedRoute) next.endedRoute = stage.endedRoute;
  else delete next.endedRoute;
  if (stage.forks.length > 0) next.forks = [...stage.forks];
  else delete next.forks;
  if (stage.way) next.way = stage.way;
  else delete next.way;
  const statements = suspects.find(({ path }) => path === next.place?.path)?.statements;
  if (next.place && statements) {
    const at = next.shown?.scene === next.place.path && next.shown.line > 0 ? next.shown.line : next.place.line;
    next.steps = findSteps(statements, at);
  } else delete next.steps;
  const isNews = JSON.stringify(next) !== JSON.stringify(stage.state);
  stage.state = next;
  if (isNews) stage.emit('stage.changed', next);
  for (const watcher of stage.watchers) watcher();
}

/** Reports background failures as stage problems. */
export function attempt(stage: StageMemory, work: Promise<unknown>): void {
  work.catch((error: unknown) => {
    const problem = toProblem('script-error', error instanceof AppError ? error.message : 'The stage failed.', null);
    stage.problems.block(problem);
    publish(stage);
  });
}
