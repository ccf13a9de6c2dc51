import { api } from '../../api.ts';
import { i18n } from '../../i18n/setup.ts';
import { chatStore } from '../../state/chat/chat-store.ts';
import { attempt, notify } from '../../state/notify.ts';
import { saveFile } from '../../ui/save-file.ts';

/** Lists are loaded again. */
function announceChange(): void {
  chatStore.setState(({ sessionChanges }) => ({ sessionChanges: sessionChanges + 1 }));
}

/** Gives a conversation a title. */
export function renameSession(session: string, title: string): Promise<boolean> {
  return attempt(() => api.call('chat.rename', { session, title }).finally(announceChange));
}

/** Moves a conversation to the trash; stops the assistant if it works there. */
export function removeSession(session: string): Promise<boolean> {
  return attempt(() => api.call('chat.remove', { session }).finally(announceChange));
}

export function restoreSession(session: string): Promise<boolean> {
  return attempt(() => api.call('chat.restore', { session }).finally(announceChange));
}

/** Removes a deleted conversation for good; null: all of them. */
export function eraseSession(session: string | null): Promise<boolean> {
  return attempt(() => api.call('chat.erase', { session }).finally(announceChange));
}

/** Offers to bring a deleted conversation back. */
export function notifyRemoved(session: string): void {
  notify({
    level: 'info',
    text: i18n.t('chat:sessions.removed'),
    action: { label: i18n.t('chat:sessions.undo'), run: () => void restoreSession(session) },
  });
}

/** Saves a conversation as a Markdown file. */
export function exportSession(session: string): Promise<boolean> {
  return attempt(async () => {
    const { title, text } = await api.call('chat.export', { session });
    saveFile(new Blob([text], { type: 'text/markdown' }), `${toFileName(title)}.md`);
  });
}

/** Characters that file systems refuse become spaces. */
function toFileName(title: string): string {
  const name = title.replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]+/gu, ' ').replace(/\s+/g, ' ');
  return name.replace(/^[ .]+|[ .]+$/g, '') || i18n.t('chat:sessions.untitled');
}

/** Opens the conversation of a hit and shows its row. */
export function openHit(hit: { session: string; row: string | null; match: string }): Promise<boolean> {
  return attempt(async () => {
    await api.call('chat.open', { session: hit.session });
    if (hit.row !== null) chatStore.setState({ wantedRow: { session: hit.session, row: hit.row, match: hit.match } });
  });
}
