import type { StagePose } from '../../../shared/model/stage/stage-look.ts';
import { toPoseEdit } from '../../../shared/script/language-features/pose-line.ts';
import { api } from '../../api.ts';
import { i18n } from '../../i18n/setup.ts';
import { openFile } from '../../state/documents/editor-store.ts';
import { notify, notifyError } from '../../state/notify.ts';
import { showOnStage, stageStore } from '../../state/stage/stage-store.ts';
import { editLine } from '../apply-fix.ts';
import { report } from './drive-stage.ts';

/** The last pose that was asked for while the engine takes another: those between are left out. */
let next: { target: string; pose: StagePose } | null = null;
let isSending = false;

/** Shows something on the stage with another pose. The script stays as it is. */
export async function poseOnStage(target: string, pose: StagePose): Promise<void> {
  next = { target, pose };
  if (isSending) return;
  isSending = true;
  try {
    while (next) {
      const order: { target: string; pose: StagePose } = next;
      next = null;
      if (!(await report(() => api.call('stage.pose', order)))) next = null;
    }
  } finally {
    isSending = false;
  }
}

/** Writes a pose into the scene that plays, where it plays, as one undo step in the editor. */
export async function writePose(target: string, pose: StagePose): Promise<void> {
  const { shown } = stageStore.getState().stage;
  if (!shown || shown.line < 1) return;
  const { scene: path, line } = shown;
  try {
    const title = i18n.t('stage:pose.write');
    const edit = await editLine({ path, line, title }, (text) => toPoseEdit(text, { line, target, pose }));
    if (edit === null) {
      notify({ level: 'info', text: i18n.t('stage:pose.cannotWrite') });
      return;
    }
    // The new line is played, too.
    await openFile(path, { line: line + 1 });
    showOnStage({ path, line: line + 1, source: 'saved' });
    notify({
      level: 'success',
      text: i18n.t('stage:pose.written', { line: edit.newText.startsWith('\n') ? line + 1 : line }),
    });
  } catch (error) {
    notifyError(error);
  }
}
