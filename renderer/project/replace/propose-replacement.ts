import type { WordReplacement } from '../../../shared/script/language-features/replace-words.ts';
import { i18n } from '../../i18n/setup.ts';
import { language, whenFed } from '../../state/language/language.ts';
import { attempt } from '../../state/notify.ts';
import { changeFiles } from '../../workflows/changes/change-files.ts';

/** Replaces a text in all scenes: at once in a single scene, else as a proposal for the review. Resolves to false on failure. */
export function proposeReplacement(wanted: WordReplacement): Promise<boolean> {
  return attempt(async () => {
    await whenFed();
    const changes = await language().call('replaceWords', wanted);
    await changeFiles(changes, i18n.t('project:replace.done', { from: wanted.find, to: wanted.replacement }));
  });
}
