import { i18n } from '../../i18n/setup.ts';
import type { Monaco } from '../../state/monaco/monaco.ts';
import { WEBGAL } from '../../state/monaco/webgal-id.ts';
import { notify, notifyError } from '../../state/notify.ts';
import { changeFiles } from '../../workflows/changes/change-files.ts';
import { askLanguage, toMonacoRange, toPlace } from './ask-language.ts';

/**
 * Registers renaming of labels, variables, characters, figures and scenes in the whole game. Monaco can change open
 * texts only, so the provider returns no edits and applies the change itself; several files become a proposal.
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
      // Without a reason the editor would announce to screen readers a rename with no edits.
      return { edits: [], rejectReason: title };
    },
  });
}

/** Animation frames to wait for the field: a few seconds on a slow machine. */
const MAX_FRAMES = 120;

/**
 * Focuses the rename field once it is rendered. Monaco focuses it after a fixed delay; when rendering takes longer, that
 * has no effect, and the new name would be typed into the text.
 */
function focusWhenDrawn(left = MAX_FRAMES): void {
  const field = document.querySelector<HTMLInputElement>('.rename-input');
  if (left === 0 || (field !== null && field === document.activeElement)) return;
  if (field !== null && field.getClientRects().length > 0) {
    field.focus();
    field.select();
  }
  requestAnimationFrame(() => focusWhenDrawn(left - 1));
}
