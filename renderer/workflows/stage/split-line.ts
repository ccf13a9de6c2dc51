import type { PlaytestFinding } from '../../../shared/model/playtest/report.ts';
import { splitDialogue } from '../../../shared/script/language-features/split-dialogue.ts';
import { i18n } from '../../i18n/setup.ts';
import { notify, notifyError } from '../../state/notify.ts';
import { editLine } from '../apply-fix.ts';

/** Divides a line whose text does not fit its box in two, as one undo step in the editor. Says so if the line is another one now. */
export async function splitLine({ place: { path, line }, subject, hidden }: PlaytestFinding): Promise<void> {
  try {
    const title = i18n.t('playtest:split');
    const edit = await editLine({ path, line, title }, (text) =>
      splitDialogue(text, { line, hidden: subject, length: hidden }),
    );
    if (edit === null) notify({ level: 'info', text: i18n.t('playtest:cannotSplit') });
  } catch (error) {
    notifyError(error);
  }
}
