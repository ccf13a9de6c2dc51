import { AppError } from '../../../../shared/errors.ts';
import { type Mention, toMentionKey, toMentionName } from '../../../../shared/model/message/mention.ts';
import { shareRoom } from '../prompt/bound-answers.ts';
import { findBoundary, findCompactions } from '../session/events/find-boundary.ts';
import type { LogEvent, LogEventOf, LoggedMention } from '../session/log-events.ts';
import { describeMention } from './describe-mention.ts';
import type { DescribedMention, MentionSource } from './mention-source.ts';

/** Characters of the contents of all mentions of one message. */
const MENTIONS_ROOM = 24_000;

export type ResolvedMentions = Pick<LogEventOf<'user'>, 'mentions' | 'seen'>;

/**
 * Reads what a message mentions, at the time it is sent. What an earlier message already holds unchanged is not repeated. Throws an
 * `AppError` that names the first mention that cannot be read, so that nothing is sent without it: reason `mention.gone`,
 * `mention.closed` or `mention.unreadable`, with its index as `index`.
 */
export async function resolveMentions(
  mentions: readonly Mention[],
  { source, events, signal }: { source: MentionSource; events: readonly LogEvent[]; signal: AbortSignal },
): Promise<ResolvedMentions> {
  const wanted = [...new Map(mentions.map((mention) => [toMentionKey(mention), mention])).values()];
  if (wanted.length === 0) return {};
  const described: DescribedMention[] = [];
  for (const mention of wanted) {
    const index = mentions.indexOf(mention);
    described.push(
      await describeMention(mention, source, signal).catch((error: unknown) => {
        throw toRefusal(error, mention, index);
      }),
    );
  }
  const earlier = toEarlierContents(events);
  const shares = shareRoom(
    described.map(({ toContent }) => toContent(MENTIONS_ROOM).length),
    MENTIONS_ROOM,
  );
  const logged: LoggedMention[] = [];
  const seen: Record<string, string> = {};
  for (const [index, mention] of wanted.entries()) {
    const one = described[index];
    if (!one) continue;
    const content = one.toContent(shares[index] ?? 0);
    if (content !== '' && earlier.get(toMentionKey(mention)) === content) {
      logged.push({ of: mention, facts: one.facts, content: '', isRepeated: true });
      continue;
    }
    logged.push({ of: mention, facts: one.facts, content });
    if (one.seen) seen[one.seen.path] = one.seen.version;
  }
  return { mentions: logged, ...(Object.keys(seen).length > 0 && { seen }) };
}

/** The contents of earlier mentions that the model still receives, by key; the newest counts. */
function toEarlierContents(events: readonly LogEvent[]): Map<string, string> {
  const contents = new Map<string, string>();
  const last = findCompactions(events).at(-1);
  for (const event of events.slice(last ? findBoundary(events, last) : 0)) {
    for (const { of, content } of (event.t === 'user' && event.mentions) || []) {
      if (content !== '') contents.set(toMentionKey(of), content);
    }
  }
  return contents;
}

function toRefusal(error: unknown, mention: Mention, index: number): unknown {
  if (!(error instanceof AppError)) return error;
  const reason = error.code === 'E_NOT_FOUND' ? 'gone' : error.code === 'E_DENY_PATH' ? 'closed' : 'unreadable';
  const name = toMentionName(mention);
  return new AppError(error.code, `The mention "${name}" cannot be sent: ${error.message}`, {
    details: { name, index },
    hint: 'Remove it from the message, then send again.',
    reason: `mention.${reason}`,
    cause: error,
  });
}
