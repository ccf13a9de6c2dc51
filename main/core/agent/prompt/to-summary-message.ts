import type { ModelMessage } from '../../ports/models.ts';
import { toTodoList } from '../session/chat-projection.ts';
import { isRewind, toUndonePaths } from '../session/events/counted-events.ts';
import { isRequest } from '../session/events/event-kinds.ts';
import type { LogEvent, LogEventOf } from '../session/log-events.ts';
import { toLogState } from '../session/log-state.ts';
import { escapeBlocks, quoteForPrompt } from './prompt-text.ts';
import { toUserMessage } from './to-user-message.ts';

/** Refusals with the user's words that stay verbatim; older ones are in the summary. */
const MAX_REFUSALS = 10;

/**
 * Returns the message in place of the events before a boundary: the summary, what the user decided, and the newest request if the
 * events after the boundary do not begin with one. Decisions and the request are taken from the log, not from the summary. Pure.
 */
export function toSummaryMessage(
  events: readonly LogEvent[],
  summary: string,
  next: LogEvent | undefined,
): ModelMessage {
  const blocks = [
    `<summary>\nThe beginning of this conversation was replaced by this summary:\n${escapeBlocks(summary)}\n</summary>`,
    `<facts>\n${toDecisions(events).join('\n')}\n</facts>`,
  ];
  for (const asked of toOpenRequests(events, next))
    blocks.push(String(toUserMessage(asked, [], { isBrief: true }).content));
  return { role: 'user', content: blocks.join('\n') };
}

/** Returns the newest request and what the user added to it while the assistant worked; none if `next` is a new request. */
function toOpenRequests(events: readonly LogEvent[], next: LogEvent | undefined): LogEventOf<'user'>[] {
  if (next && isRequest(next) && !next.steer) return [];
  const first = events.findLastIndex((event) => isRequest(event) && !event.steer);
  return first < 0 ? [] : events.slice(first).filter(isRequest);
}

/** Texts of the user in place of the assistant's that stay verbatim; the newest ones. */
const MAX_EDITS = 10;

/** Returns what the user decided, as sentences. */
function toDecisions(events: readonly LogEvent[]): string[] {
  const written = new Set<string>();
  const refusals: string[] = [];
  const edits: { path: string; linesOfUser: string }[] = [];
  for (const event of events) {
    if (isRewind(event)) for (const path of event.accepted) written.add(path);
    if (event.t !== 'decision') continue;
    if (event.outcome === 'accepted') for (const path of event.paths ?? []) written.add(path);
    for (const { path, edited } of event.pieces ?? []) {
      for (const { text } of edited) if (text !== undefined) edits.push({ path, linesOfUser: text });
    }
    if (event.outcome === 'rejected' && event.feedback) refusals.push(event.feedback);
  }
  const undone = toUndonePaths(events);
  for (const path of undone) written.delete(path);
  const { drafts } = toLogState(events);
  const sentences = [
    'Texts of files that you read before are not shown any more: read a file again before you change it.',
  ];
  if (written.size > 0) sentences.push(`The user accepted changes to these files: ${quoteForPrompt([...written])}.`);
  if (undone.size > 0) {
    sentences.push(`Accepted and undone later, so NOT on disk: ${quoteForPrompt([...undone])}.`);
  }
  if (refusals.length > 0) {
    sentences.push(`The user rejected proposals with these words: ${quoteForPrompt(refusals.slice(-MAX_REFUSALS))}.`);
  }
  if (edits.length > 0) {
    sentences.push(`Lines that the user wrote in place of yours: ${quoteForPrompt(edits.slice(-MAX_EDITS))}.`);
  }
  if (drafts.length > 0) {
    const paths = drafts.map(({ path }) => path);
    sentences.push(
      `Your drafts of these files are open and not on disk; your tools see them: ${quoteForPrompt(paths)}.`,
    );
  }
  const todo = toTodoList(events).map(({ text, state }) => ({ text, state: state === 'waiting' ? 'pending' : state }));
  if (todo.length > 0) {
    sentences.push(
      `Your list of what is to do, as it was then; keep it with update_todo_list: ${quoteForPrompt(todo)}.`,
    );
  }
  return sentences;
}
