import { changeFiles } from '../editor/change-files.ts';
import type { Monaco } from '../editor/monaco.ts';
import { i18n } from '../i18n/setup.ts';
import { notify, notifyError } from '../ui/notify.ts';
import { askLanguage, toMonacoRange, toPlace } from './ask-language.ts';
import { WEBGAL } from './webgal-id.ts';

/**
 * Renames a label, variable, character, figure or scene throughout the game. The editor can change open texts only, so
 * it is told that there is nothing to do: what touches more than one file waits as a proposal.
 */
export function registerRenaming(monaco: Monaco): void {
  monaco.languages.registerRenameProvider(WEBGAL, {
    async resolveRenameLocation(model, position, token) {
      const place = toPlace(model, position);
      const found = place && (await askLanguage({ model, token }, 'findRenamable', { place }));
      if (found) {
        focusWhenDrawn();
        return { range: toMonacoRange(found.range), text: found.name };
      }
      const nowhere = { startLineNumber: 1, startColumn: 1, endLineNumber: 1, endColumn: 1 };
      return { range: nowhere, text: '', rejectReason: i18n.t('errors:rename.not-renamable') };
    },
    async provideRenameEdits(model, position, name, token) {
      const place = toPlace(model, position);
      const old = place && (await askLanguage({ model, token }, 'findRenamable', { place }));
      const changes = old && (await askLanguage({ model, token }, 'rename', { place, name }));
      if (!changes) return { edits: [] };
      if ('problem' in changes) {
        const text = i18n.t(`errors:rename.${changes.problem}`, { name });
        notify({ level: 'warning', text });
        return { edits: [], rejectReason: text };
      }
      const title = i18n.t('editor:renamed', { from: old.name, to: name });
      await changeFiles(changes, title).catch(notifyError);
      // Without a reason the editor would tell those who hear the page that it renamed something, in no places.
      return { edits: [], rejectReason: title };
    },
  });
}

/** Frames to wait for the field: a few seconds on a slow machine. */
const MOST_FRAMES = 120;

/**
 * The editor focuses its field a moment after asking for it, drawn or not. Where drawing takes longer that does nothing,
 * and the new name would be typed into the text.
 */
function focusWhenDrawn(left = MOST_FRAMES): void {
  const field = document.querySelector<HTMLInputElement>('.rename-input');
  if (left === 0 || (field !== null && field === document.activeElement)) return;
  if (field !== null && field.getClientRects().length > 0) {
    field.focus();
    field.select();
  }
  requestAnimationFrame(() => focusWhenDrawn(left - 1));
}
