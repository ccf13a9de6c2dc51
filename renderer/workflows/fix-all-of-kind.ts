import type { Locale } from '../../shared/model/local-text.ts';
import { i18n } from '../i18n/setup.ts';
import { language, whenFed } from '../state/language/language.ts';
import { notifyError } from '../state/notify.ts';
import { changeFiles } from './changes/change-files.ts';

/** The fixes of all problems with a code: how many, and what one of them says. */
export interface AlikeFixes {
  count: number;
  title: string;
}

/** Fixes all problems with a code in the whole game as one change. */
export async function fixAllOfKind(code: string, fixes: AlikeFixes): Promise<void> {
  try {
    await whenFed();
    const changes = await language().call('fixAll', { code, locale: i18n.language as Locale });
    await changeFiles(changes, i18n.t('editor:fixedAll', { ...fixes }));
  } catch (error) {
    notifyError(error);
  }
}
