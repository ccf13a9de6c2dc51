import { delay } from '../../../../shared/async.ts';
import type { Output, Parsed } from '../../../../shared/contract.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { ChatItem, TrashedSummary } from '../../../../shared/model/chat.ts';
import type { Locale } from '../../../../shared/model/local-text.ts';
import type { ConversationList } from '../../conversation-list.ts';
import { assertNoUserProposal } from '../assert-ready.ts';
import type { ChatPorts } from '../chat-ports.ts';
import { createChatProjection } from '../session/chat-projection.ts';
import { type OpenSessions, requireStored } from '../session/open-sessions.ts';
import type { DisplayOf } from '../session/projection/projection-state.ts';
import { type SessionList, toSessionTitle } from '../session/session-list.ts';
import { readSessionHead, readSessionLog, type SessionLog, toForeignError } from '../session/session-log.ts';
import { createSessionState } from '../session/session-state.ts';
import { toOneLine } from '../title/clean-title.ts';
import { renameSession } from '../title/rename-session.ts';
import { toMarkdown } from './export/to-markdown.ts';
import { createSessionSearch } from './search-sessions.ts';
import type { SessionIndex } from './session-index.ts';

/** Events that are read for an export before other work has its turn. */
const EVENTS_AT_ONCE = 500;

export interface Conversations extends ConversationList {
  /** Ends what reads logs in the background, and stores the index. */
  close(): Promise<void>;
}

export function createConversations({
  ports,
  sessions: opened,
  list: pages,
}: {
  ports: ChatPorts;
  sessions: OpenSessions;
  list: SessionList;
}): Conversations {
  const { sessions, clock, actions, proposals } = ports;
  const { active } = opened;
  const { index } = pages;
  const search = createSessionSearch({ sessions, index, locale: ports.locale });
  const closing = new AbortController();
  // In the background: the list and the search need the heads of all logs, opening the game does not.
  void index.fill(closing.signal).then(index.save);

  async function readLog(id: string): Promise<Pick<SessionLog, 'events' | 'counted' | 'isForeign'>> {
    const { log } = active();
    if (log.id === id) return log;
    await requireStored(sessions, id);
    return (await readSessionLog(id, sessions.open(id))).log;
  }

  /** The open conversation is written all the time, so its head comes from memory. */
  async function list(part: Parsed<'chat.sessions'>): Promise<Output<'chat.sessions'>> {
    if (part.after === null) await index.note(active().log);
    const found = await pages.page(part);
    await index.save();
    return found;
  }

  async function renameStored(id: string, title: string): Promise<void> {
    const text = toOneLine(title);
    if (text === null) throw new AppError('E_BAD_ARGS', 'A title needs a visible character.');
    await requireStored(sessions, id);
    await opened.claim(id);
    try {
      // Verifies every line: none may be added to a log that came with the game.
      if ((await readSessionHead(sessions.open(id))).isForeign) throw toForeignError();
      await sessions.open(id).append({ t: 'title', at: clock.now(), text, by: 'user' }, true);
    } finally {
      await sessions.release(id).catch(() => undefined);
    }
  }

  return {
    sessions: list,
    search: search.find,
    endSearch: search.end,
    async export(id) {
      const log = await readLog(id);
      const title = toSessionTitle(createSessionState(log)(), ports.locale());
      const items = await readRows(log.events, ports.tools.displayOf);
      return { title, text: await toMarkdown({ ...log, title, items, locale: ports.locale() }) };
    },
    rename: (title, id = active().log.id) =>
      actions.run(() =>
        id === active().log.id
          ? renameSession(active(), title, { clock, claim: opened.claim })
          : renameStored(id, title),
      ),
    async remove(id) {
      if (id === active().log.id) actions.cancelStarts();
      await actions.run(async () => {
        if (id === active().log.id) assertNoUserProposal(proposals);
        await opened.remove(id);
      });
    },
    restore: (id) => actions.run(() => sessions.restore(id)),
    trash: () => listTrash({ sessions, index, locale: ports.locale() }),
    erase: (id) => actions.run(() => sessions.erase(id)).then(index.prune),
    async close() {
      closing.abort();
      search.end();
      await index.save();
    },
  };
}

async function listTrash({
  sessions,
  index,
  locale,
}: Pick<ChatPorts, 'sessions'> & { index: SessionIndex; locale: Locale }): Promise<Output<'chat.trash'>> {
  const found: TrashedSummary[] = [];
  for (const trashed of await sessions.listTrash()) {
    const { session, deletedAt, bytes } = trashed;
    // One that cannot be read can still be removed.
    const head = await index.headOfTrashed(trashed).catch(() => null);
    const title = toSessionTitle(head ?? { title: null, practice: false }, locale);
    found.push({ id: session, title, at: deletedAt, isForeign: head?.isForeign ?? false, bytes });
  }
  await index.save();
  return { sessions: found };
}

async function readRows(events: SessionLog['events'], displayOf: DisplayOf): Promise<readonly ChatItem[]> {
  const rows = createChatProjection(displayOf);
  for (const [at, event] of events.entries()) {
    if (at > 0 && at % EVENTS_AT_ONCE === 0) await delay(0);
    rows.take(event);
  }
  return rows.items();
}
