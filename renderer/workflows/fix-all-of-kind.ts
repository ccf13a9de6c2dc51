import type { Locale } from '../../shared/model/local-text.ts';
import { i18n } from '../i18n/setup.ts';
import { language, whenFed } from '../state/language/language.ts';
import { notifyError } from '../state/notify.ts';
import { changeFiles } from './changes/change-files.ts';

/** Fixes all problems with a code in the whole game as one change; `title` describes the fix. */
export async function fixAllOfKind(code: string, title: string): Promise<void> {
  try {
    await whenFed();
    const changes = await language().call('fixAll', { code, locale: i18n.language as Locale });
    await changeFiles(changes, i18n.t('editor:fixedAll', { title }));
  } catch (error) {
    notifyError(error);
  }
}
