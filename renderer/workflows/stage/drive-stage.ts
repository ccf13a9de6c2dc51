import type { StageReply, StoryValue } from '../../../shared/model/stage.ts';
import { api } from '../../api.ts';
import { i18n } from '../../i18n/setup.ts';
import { notify, notifyError } from '../../state/notify.ts';
import { showOnStage, stageStore } from '../../state/stage/stage-store.ts';

/** Returns the text of a value of a variable as the value that a script would set. */
export function toStoryValue(text: string): StoryValue {
  const trimmed = text.trim();
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
  return trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : text;
}

/** Plays the running story on to its next stop. Without a story that runs, to the next line of the scene. */
export async function stepOnStage(): Promise<void> {
  const { place, steps, route } = stageStore.getState().stage;
  await report(async () => {
    const reply = await api.call('stage.step', {});
    // The title, and an engine that cannot be driven: the line after the requested one.
    const isUndriven = reply.failure === 'title' || reply.failure === 'not-ready' || reply.failure === 'no-answer';
    // Which would end a route that is recorded.
    if (!isUndriven || !place || !steps?.next || route?.isRecording) return reply;
    showOnStage({ ...place, line: steps.next });
    return null;
  });
}

/** Sets a variable of the running story, or one that is kept for all. Resolves to whether the engine took it. */
export async function setOnStage(name: string, value: StoryValue, isGlobal: boolean): Promise<boolean> {
  return report(() => api.call('stage.setVariable', { name, value, isGlobal }));
}

/** Hides the text box of the running game, or shows it again. */
export async function toggleTextBox(): Promise<void> {
  await report(() => api.call('stage.toggleTextBox', {}));
}

/** Gives the story an order, and tells the user why it was not carried out. Resolves to whether it was. */
export async function report(order: () => Promise<StageReply | null>): Promise<boolean> {
  try {
    const failure = (await order())?.failure ?? null;
    if (failure !== null) notify({ level: 'info', text: i18n.t(`stage:failure.${failure}`) });
    return failure === null;
  } catch (error) {
    notifyError(error);
    return false;
  }
}
