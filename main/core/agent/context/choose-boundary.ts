import { toBoundaryId } from '../session/events/find-boundary.ts';
import type { LogEvent, LogEventOf } from '../session/log-events.ts';
import { estimateTokens, PICTURE_TOKENS } from './estimate-tokens.ts';

/**
 * Returns the index of the first event that a compaction should keep: the earliest one after which at most `tokens` tokens
 * follow; the length of the log to keep none. `from`: the index where the history begins today; `room`: characters for the tool
 * answers of a step. Null when nothing would be replaced. Pure.
 */
export function chooseBoundary(
  events: readonly LogEvent[],
  { from, tokens, room }: { from: number; tokens: number; room: number },
): number | null {
  let used = 0;
  let boundary = events.length;
  for (let index = events.length - 1; index > from; index -= 1) {
    const event = events[index];
    if (!event) continue;
    used += toTokens(event, room);
    if (used > tokens) break;
    if (toBoundaryId(event) !== undefined) boundary = index;
  }
  const isNew = events.slice(from, boundary).some((event) => toBoundaryId(event) !== undefined);
  return isNew ? boundary : null;
}

function toTokens(event: LogEvent, room: number): number {
  switch (event.t) {
    case 'user':
      return estimateTokens(event.text) + toAttachedTokens(event);
    case 'assistant':
      return estimateTokens(JSON.stringify(event.messages));
    case 'tool.result':
      return estimateTokens(JSON.stringify(event.value ?? event.error ?? null).slice(0, room));
    default:
      return 0;
  }
}

function toAttachedTokens({ mentions = [], pictures = [] }: LogEventOf<'user'>): number {
  const shown = mentions.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  return shown + pictures.length * PICTURE_TOKENS;
}
