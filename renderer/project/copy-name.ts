import { i18n } from '../i18n/setup.ts';
import { notify } from '../state/notify.ts';

/** Copies a file's name, as used in scripts, to the clipboard. */
export async function copyName(name: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(name);
    notify({ level: 'info', text: i18n.t('project:copied', { name }) });
  } catch {
    // The browser or the user does not allow it.
    notify({ level: 'warning', text: i18n.t('project:notCopied', { name }) });
  }
}
