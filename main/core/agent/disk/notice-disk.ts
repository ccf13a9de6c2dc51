import type { Emit } from '../../../../shared/contract.ts';
import type { OpenSessions } from '../session/open-sessions.ts';
import type { DiskFacts } from './disk-facts.ts';

/** Logs what happened to the files that the open conversation knows, and shows it, unless a turn runs: that one looks between its steps. */
export async function noticeDisk(sessions: Pick<OpenSessions, 'active' | 'claim'>, disk: DiskFacts): Promise<void> {
  const { running, log, publisher } = sessions.active();
  // A conversation without a request knows no files, and gets no log.
  if (running || log.isForeign || log.events.length < 2) return;
  await sessions.claim();
  if (await disk.log(log)) publisher.publish();
}

/** Tells the open conversation after each undo and restore that is emitted. A failure is not lost: the next request looks again. */
export function withDiskNotices(
  emit: Emit,
  chat: { noticeDisk(): Promise<void> },
  onFault: (fault: { where: string; error: unknown }) => void,
): Emit {
  return (event, payload) => {
    emit(event, payload);
    if (event !== 'history.changed') return;
    chat.noticeDisk().catch((error: unknown) => onFault({ where: 'what the conversation knows', error }));
  };
}
