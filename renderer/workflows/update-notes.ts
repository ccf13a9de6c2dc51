import { AppError } from '../../shared/errors.ts';
import { toNotesSection, withNotesSection } from '../../shared/model/viewer/notes-section.ts';
import { api } from '../api.ts';
import { i18n } from '../i18n/setup.ts';
import { flushSaves } from '../state/documents/editor-store.ts';
import { showView } from '../state/navigation.ts';
import { notify } from '../state/notify.ts';

/** The files that other assistants read, the one that is made where there is none first. */
const NOTES = ['AGENTS.md', 'CLAUDE.md'] as const;

/** Proposes the current section about the window for the notes of the game. Writes nothing. */
export async function proposeNotes(): Promise<void> {
  await flushSaves();
  const found = await Promise.all(NOTES.map(readNotes));
  const notes = found.filter(({ version }) => version !== null);
  const changes = (notes.length > 0 ? notes : found.slice(0, 1)).map((file) => ({
    ...file,
    next: withNotesSection(file.text, toNotesSection()),
  }));
  const damaged = changes.find(({ next }) => next === null);
  if (damaged) return notify({ level: 'error', text: i18n.t('settings:stage.notesDamaged', { file: damaged.path }) });
  const stale = changes.filter(({ text, next }) => next !== text);
  if (stale.length === 0) return notify({ level: 'info', text: i18n.t('settings:stage.notesCurrent') });
  await api.call('script.propose', {
    title: i18n.t('settings:stage.notes'),
    changes: stale.map(({ path, version, next }) => ({ path, version, text: next })),
  });
  showView('review');
}

async function readNotes(path: string): Promise<{ path: string; text: string; version: string | null }> {
  try {
    const { text, version } = await api.call('script.read', { path });
    return { path, text, version };
  } catch (error) {
    if (error instanceof AppError && error.code === 'E_NOT_FOUND') return { path, text: '', version: null };
    throw error;
  }
}
