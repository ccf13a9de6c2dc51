import { AppError } from '../../../../shared/errors.ts';
import type { Clock } from '../../ports/host.ts';
import { assertOwn } from '../assert-ready.ts';
import type { OpenSession, OpenSessions } from '../session/open-sessions.ts';
import { toOneLine } from './clean-title.ts';

/** Gives a session the user's title. Throws `E_BAD_ARGS` for one without a visible character. */
export async function renameSession(
  session: OpenSession,
  title: string,
  { clock, claim }: { clock: Clock; claim: OpenSessions['claim'] },
): Promise<void> {
  assertOwn(session);
  const text = toOneLine(title);
  if (text === null) throw new AppError('E_BAD_ARGS', 'A title needs a visible character.');
  await claim();
  await session.log.append({ t: 'title', at: clock.now(), text, by: 'user' });
  session.publisher.publish();
}
