import type { Emit } from '../../../../shared/contract.ts';
import type { EngineChoice, StagePlace, StageState } from '../../../../shared/model/stage.ts';
import type { ClosableStageLink } from '../../ports/stage-link.ts';
import type { Stage } from '../../services.ts';
import { toMovedLine } from '../../text/moved-line.ts';
import { createTimers } from '../../timers.ts';
import type { StagePorts } from '../operations/stage-memory.ts';
import { createSceneTexts } from '../scenes/scene-texts.ts';
import { createStage } from '../stage.ts';

/** The stage reports each step of an animation of the story; the sentence at which it rests is shown beside it. */
const FOLLOW_DELAY_MS = 250;

interface StageBesidePorts extends Omit<StagePorts, 'link' | 'engines' | 'terre'> {
  /** The stage that is followed. */
  stage: Stage;
  /** Creates the link of one comparison. */
  openLink(): ClosableStageLink;
}

export interface StageBeside {
  /** Null while nothing is compared. */
  state(): StageState | null;
  /** Begins or ends the comparison. It ends by itself with the proposal. */
  compare(isOn: boolean): void;
  /** Takes in a state of the followed stage; call for each. */
  follow(state: StageState): void;
  filesChanged(paths: readonly string[]): void;
  dispose(): Promise<void>;
}

/**
 * Creates what plays the other text beside the stage: the saved one beside the proposal, or the other way round, at the same sentence and
 * by the same choices. A second engine, which runs while the two are compared.
 */
export function createStageBeside({ stage: main, openLink, ...ports }: StageBesidePorts): StageBeside {
  const texts = createSceneTexts(ports);
  const timers = createTimers();
  let open: { stage: Stage; link: ClosableStageLink; engine: EngineChoice; shown: string } | null = null;
  let closing: Promise<void> = Promise.resolve();

  const end = (): void => {
    if (!open) return;
    const { stage, link } = open;
    open = null;
    timers.clearAll();
    stage.dispose();
    closing = Promise.all([closing, link.close()]).then(() => undefined);
    ports.emit('stage.besideChanged', { stage: null });
  };
  const begin = (): void => {
    const link = openLink();
    const engine = toChoice(main.state());
    const emit = toBesideEmit(ports.emit, () => open?.link === link);
    const own = main.state().engine?.own ?? null;
    const engines = own && { own, readChoice: async () => engine, writeChoice: async () => undefined };
    open = { link, engine, shown: '', stage: createStage({ ...ports, link, emit, ...(engines && { engines }) }) };
    ports.emit('stage.besideChanged', { stage: open.stage.state() });
    followSoon(0);
  };
  const followSoon = (delay: number): void =>
    timers.set('follow', delay, () => {
      // The scene may be gone from one of the texts; the stage beside says so.
      if (open) void show(open).catch(() => undefined);
    });
  const show = async (current: NonNullable<typeof open>): Promise<void> => {
    const { place } = main.state();
    if (!place) return;
    const sentence = main.sentence();
    const other = toOther(place);
    const [before, after] = await Promise.all(
      [place, other].map(({ path, source }) => texts.read(path, source).catch(() => null)),
    );
    const line = before == null || after == null ? place.line : toMovedLine(before, after, place.line);
    // Without a ticked piece there is nothing to play of the proposal; with the first it is played again.
    const key = JSON.stringify([other, line, sentence, ports.proposals.played().size > 0]);
    if (open !== current || current.shown === key) return;
    current.shown = key;
    current.stage.showSentence({ ...other, line }, sentence);
  };
  const stops = [
    ports.proposals.on(() => {
      if (ports.proposals.current() === null) end();
      else if (open) followSoon(FOLLOW_DELAY_MS);
    }),
    ports.buffers.on(() => open && followSoon(FOLLOW_DELAY_MS)),
  ];

  return {
    state: () => open?.stage.state() ?? null,
    compare(isOn) {
      if (isOn === (open !== null)) return;
      if (!isOn) end();
      else if (ports.proposals.current() !== null) begin();
    },
    follow(state) {
      if (!open || state.replay?.state === 'playing') return;
      if (toChoice(state) !== open.engine) {
        end();
        begin();
      } else followSoon(FOLLOW_DELAY_MS);
    },
    filesChanged(paths) {
      open?.stage.filesChanged(paths);
      if (open) followSoon(FOLLOW_DELAY_MS);
    },
    async dispose() {
      for (const stop of stops) stop();
      end();
      await closing;
    },
  };
}

const toOther = ({ path, line, source }: StagePlace): StagePlace => ({
  ...{ path, line },
  source: source === 'saved' ? 'proposal' : 'saved',
});

/** Terre's page plays what is saved; the app's engine is beside it. */
function toChoice({ engine }: StageState): EngineChoice {
  return engine?.choice === 'own' ? 'own' : 'bundled';
}

/** The events of the stage beside, under their own name. */
function toBesideEmit(emit: Emit, isOpen: () => boolean): Emit {
  return (event, payload) => {
    if (event === 'stage.changed' && isOpen()) emit('stage.besideChanged', { stage: payload as StageState });
  };
}
