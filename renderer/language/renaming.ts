import { changeFiles } from '../editor/change-files.ts';
import type { Monaco } from '../editor/monaco.ts';
import { i18n } from '../i18n/setup.ts';
import { notify, notifyError } from '../ui/notify.ts';
import { askLanguage, toMonacoRange, toPlace } from './ask-language.ts';
import { WEBGAL } from './webgal-id.ts';

/**
 * Renames a label, variable, character, figure or scene throughout the game. The editor can change open texts only, so
 * it is told that there is nothing to do: all files are changed as one step that the history can undo.
 */
export function registerRenaming(monaco: Monaco): void {
  monaco.languages.registerRenameProvider(WEBGAL, {
    async resolveRenameLocation(model, position, token) {
      const place = toPlace(model, position);
      const found = place && (await askLanguage({ model, token }, 'findRenamable', { place }));
      if (found) return { range: toMonacoRange(found.range), text: found.name };
      const nowhere = { startLineNumber: 1, startColumn: 1, endLineNumber: 1, endColumn: 1 };
      return { range: nowhere, text: '', rejectReason: i18n.t('errors:rename.not-renamable') };
    },
    async provideRenameEdits(model, position, name, token) {
      const place = toPlace(model, position);
      const old = place && (await askLanguage({ model, token }, 'findRenamable', { place }));
      const changes = old && (await askLanguage({ model, token }, 'rename', { place, name }));
      if (!changes) return { edits: [] };
      if ('problem' in changes) {
        notify({ level: 'warning', text: i18n.t(`errors:rename.${changes.problem}`, { name }) });
        return { edits: [] };
      }
      await changeFiles(changes, i18n.t('editor:renamed', { from: old.name, to: name })).catch(notifyError);
      return { edits: [] };
    },
  });
}
