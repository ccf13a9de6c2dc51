import type { PlaytestFinding } from '../../../shared/model/playtest/report.ts';
import { splitDialogue } from '../../../shared/script/language-features/split-dialogue.ts';
import { i18n } from '../../i18n/setup.ts';
import { openFile, openText } from '../../state/documents/editor-store.ts';
import { showView } from '../../state/navigation.ts';
import { notify, notifyError } from '../../state/notify.ts';
import { applyFix } from '../apply-fix.ts';

/** Divides a line whose text does not fit its box in two, as one undo step in the editor. Says so if the line is another one now. */
export async function splitLine({ place: { path, line }, subject, hidden }: PlaytestFinding): Promise<void> {
  try {
    showView('write');
    await openFile(path, { line });
    const text = openText(path)?.split('\n')[line - 1]?.replace(/\r$/, '');
    const edit = text === undefined ? null : splitDialogue(text, { line, hidden: subject, length: hidden });
    if (edit === null) notify({ level: 'info', text: i18n.t('playtest:cannotSplit') });
    else await applyFix(path, { title: i18n.t('playtest:split'), edits: [edit] });
  } catch (error) {
    notifyError(error);
  }
}
