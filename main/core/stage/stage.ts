import { SCENE_FOLDER } from '../../../shared/script/project-index/project-facts.ts';
import type { StageEvent } from '../ports/stage-link.ts';
import type { Stage } from '../services.ts';
import { driveStory, setVariable, skipToChoice } from './operations/drive-story.ts';
import { handleEvent } from './operations/handle-event.ts';
import {
  applyPlace,
  followText,
  recordRoute,
  refreshSuspects,
  showPlace,
  showSentence,
  takeWay,
} from './operations/show-place.ts';
import { attempt, createStageMemory, publish, type StageMemory, type StagePorts } from './operations/stage-memory.ts';
import { chooseEngine, reloadOnRequest, reloadStage, startStage } from './operations/start-stage.ts';
import { watchTerre } from './operations/watch-terre.ts';
import { preferTerre } from './prefer-terre.ts';
import { createPreview } from './preview-scene.ts';
import { goBack } from './route/go-back.ts';
import { forgetRoute, stopReplay, toSentence } from './route/replay-route.ts';

const RELOAD_DELAY_MS = 400;
/** Only these: the engine finds its fonts and the template itself at its start. */
const TEMPLATE_STYLE = /^game\/template\/.+\.scss$/i;

/**
 * Creates the stage of one open game. It shows the requested line of the text in the editor, follows changes of that text,
 * and reports what the engine could not load or run. `shown` is the state reported by the engine, not the request.
 */
export function createStage(ports: StagePorts): Stage {
  const stage = createStageMemory(ports, refreshSuspects);
  const receive = (event: StageEvent): void => handleEvent(stage, event);
  const follow = (): void => followText(stage);
  const stops = [ports.link.on(receive), ports.buffers.on(follow), ports.proposals.on(follow)];
  attempt(stage, startStage(stage));
  watchTerre(stage);

  return {
    state: () => stage.state,
    show: (request) => showPlace(stage, request),
    sentence: () => toSentence(stage),
    showSentence: (place, sentence) => showSentence(stage, place, sentence),
    reload: () => reloadOnRequest(stage),
    way: {
      take: (way) => takeWay(stage, way),
      stopReplay: () => stopReplay(stage),
      record: (isRecording) => recordRoute(stage, isRecording),
    },
    useEngine: (choice) => chooseEngine(stage, choice),
    look: () => driveStory(stage, (driver) => driver.readState()),
    step: () => driveStory(stage, (driver) => driver.step()),
    skip: () => skipToChoice(stage),
    back: () => goBack(stage),
    choose: (option) => driveStory(stage, (driver) => driver.choose(option)),
    setVariable: (name, value, isGlobal) => setVariable(stage, { name, value, isGlobal }),
    pose: (target, pose) => driveStory(stage, (driver) => driver.setPose(target, pose)),
    toggleTextBox: () => driveStory(stage, (driver) => driver.toggleTextBox()),
    takePicture: () => ports.link.driver.takePicture(),
    report({ kind, text }) {
      if (kind === 'exception') receive({ kind: 'trouble', level: 'exception', text });
      else if (text.includes('[ERROR]')) receive({ kind: 'trouble', level: 'error', text });
    },
    filesChanged: (paths) => handleChangedFiles(stage, paths),
    preview: preferTerre(
      createPreview({
        proposals: ports.proposals,
        locale: ports.locale,
        start: () => startStage(stage),
        state: () => stage.state,
        run: () => stage.run,
        isConnected: () => stage.isConnected,
        warnings: stage.problems.warnings,
        async showNow(place) {
          forgetRoute(stage);
          publish(stage, { place });
          stage.timers.clear('apply');
          await applyPlace(stage, true);
        },
        watch(watcher) {
          stage.watchers.add(watcher);
          return () => stage.watchers.delete(watcher);
        },
      }),
      // Its page on the stage shows proposals too, and reports what goes wrong.
      () => (stage.state.engine?.choice === 'terre' ? null : stage.terre),
    ),
    dispose() {
      stage.isDisposed = true;
      stage.timers.clearAll();
      stage.watchers.clear();
      for (const stop of stops) stop();
    },
  };
}

function handleChangedFiles(stage: StageMemory, paths: readonly string[]): void {
  const inGame = paths.filter((path) => path.startsWith('game/'));
  if (inGame.some((path) => path.startsWith(SCENE_FOLDER))) {
    stage.listed = null;
    stage.routes.forget(inGame);
    followText(stage);
  }
  // Asked now: the engine may ask for a new file as soon as the changed text names it.
  for (const path of inGame) {
    if (!path.startsWith(SCENE_FOLDER) && stage.link.hasAsked(path)) stage.changedFiles.add(path);
  }
  if (stage.changedFiles.size > 0)
    stage.timers.set('reload', RELOAD_DELAY_MS, () => attempt(stage, loadChangedFiles(stage)));
}

/**
 * Shows changed files that are no scenes. The engine reads images, animations and settings only once, so it starts anew if it has
 * asked for one of them; the styles of a template it can load alone.
 */
async function loadChangedFiles(stage: StageMemory): Promise<void> {
  const known = [...stage.changedFiles];
  stage.changedFiles.clear();
  const { origin } = stage;
  if (stage.isConnected && known.every((path) => TEMPLATE_STYLE.test(path)) && (await stage.link.reloadStyles()))
    return;
  // Meanwhile it may have been loaded anew, or closed.
  if (!stage.isDisposed && stage.origin === origin) reloadStage(stage);
}
