import type { PlaytestSource } from '../../../shared/model/playtest/playtest-state.ts';
import { toRoute } from '../../../shared/model/playtest/route-to-test.ts';
import type { StoryTest } from '../../../shared/model/playtest/story-test.ts';
import type { StageRoute } from '../../../shared/model/stage/stage-route.ts';
import { api } from '../../api.ts';
import { i18n } from '../../i18n/setup.ts';
import { flushSaves } from '../../state/documents/editor-store.ts';
import { setStageOpen, showView } from '../../state/navigation.ts';
import { clearNotices, notify, notifyError } from '../../state/notify.ts';
import { showPlaytestPart, startPlaytest } from '../../state/playtest/playtest-store.ts';
import { editTest, loadStoryTests, storyTestsStore, type TestDraft } from '../../state/playtest/story-tests-store.ts';
import { stageStore } from '../../state/stage/stage-store.ts';
import { addChange, undoChange } from '../changes/file-changes.ts';

/** Begins the game anew on the stage and records what the user does. */
export function recordRoute(): void {
  setStageOpen(true);
  setRecording(true);
}

export function setRecording(isRecording: boolean): void {
  void api.call('stage.record', { isRecording }).catch(notifyError);
}

/** The texts that a test of the stage's route is played with: what the stage plays. */
function toSource(): PlaytestSource {
  return stageStore.getState().stage.place?.source === 'proposal' ? 'proposed' : 'unsaved';
}

/** Opens the dialog for a test of a route that was played on the stage, and ends its recording. */
export function saveRoute(route: StageRoute): void {
  const { route: current, endedRoute, shown } = stageStore.getState().stage;
  const isEnded = route === endedRoute;
  if (current?.isRecording) setRecording(false);
  const test = { name: '', ...toRoute(route.steps), expect: {} };
  // The stage has left the place to which an ended recording came.
  const reached = isEnded ? null : shown;
  editTest({ at: null, test, source: toSource(), shown: reached, hasSetVariable: route.hasSetVariable });
  showTests();
}

/** Opens the dialog for a test of the file. */
export function openTest(at: number): void {
  const test = storyTestsStore.getState().file?.tests[at];
  if (test) editTest({ at, test, source: 'unsaved', shown: null, hasSetVariable: false });
}

function showTests(): void {
  showPlaytestPart('tests');
  showView('playtest');
}

/** Plays one test alone; its result appears in the playtest view. */
export function runTest(name: string, source: PlaytestSource): void {
  showTests();
  void startPlaytest({ source, onlyTests: true, test: name });
}

/** Writes a test, with undo, and plays it at once. Rejects if it was not written. */
export async function saveTest({ at, source }: TestDraft, test: StoryTest): Promise<void> {
  await write(at, test);
  // An ended recording stays until then, because the dialog can be cancelled.
  if (at === null && stageStore.getState().stage.endedRoute) setRecording(false);
  runTest(test.name, source);
}

/** Removes a test, with undo. */
export async function removeTest(at: number): Promise<void> {
  try {
    await write(at, null);
  } catch (error) {
    notifyError(error);
  }
}

async function write(at: number | null, test: StoryTest | null): Promise<void> {
  await flushSaves();
  const { file } = storyTestsStore.getState();
  const name = test?.name ?? file?.tests[at ?? 0]?.name ?? '';
  const { files } = await api.call('playtest.changeTests', { version: file?.version ?? null, at, test });
  await loadStoryTests();
  const title = i18n.t(`playtest:change.${test === null ? 'removed' : at === null ? 'added' : 'changed'}`, { name });
  const change = await addChange({ title, files });
  clearNotices();
  if (files.length === 0) return;
  notify({
    level: 'success',
    text: title,
    action: { label: i18n.t('common:undo'), run: () => void undoChange(change) },
  });
}
