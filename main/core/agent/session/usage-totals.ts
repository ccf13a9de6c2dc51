import {
  addTotals,
  addUsage,
  NOTHING_USED,
  UNKNOWN_USAGE,
  type UsageTotal,
} from '../../../../shared/model/cost/usage.ts';
import type { LogEvent } from './log-events.ts';

/** What the newest turn and the whole session used. */
export interface UsageTotals {
  turnUsage: UsageTotal;
  sessionUsage: UsageTotal;
}

/** Returns a function that takes the events of a log in order and returns what was used after each. */
export function createUsageTotals(): (event: LogEvent) => UsageTotals {
  const totals: UsageTotals = { turnUsage: NOTHING_USED, sessionUsage: NOTHING_USED };
  const isCutOff = createCutOff();
  let isPractice = false;
  return (event) => {
    if (event.t === 'session') isPractice = event.practice;
    if (event.t === 'turn.start') totals.turnUsage = NOTHING_USED;
    // The service charges for a step that was cut off, but does not say how much.
    const used = isCutOff(event) && !isPractice ? addUsage(NOTHING_USED, UNKNOWN_USAGE, undefined) : toUsed(event);
    if (used !== null) {
      if (event.t !== 'title') totals.turnUsage = addTotals(totals.turnUsage, used);
      totals.sessionUsage = addTotals(totals.sessionUsage, used);
    }
    return totals;
  };
}

function toUsed(event: LogEvent): UsageTotal | null {
  if (event.t === 'assistant' || event.t === 'compaction' || event.t === 'request.cut')
    return addUsage(NOTHING_USED, event.usage, event.cost);
  if (event.t === 'title' && event.usage) return addUsage(NOTHING_USED, event.usage, event.cost);
  return (event.t === 'tool.result' && event.spent) || null;
}

/**
 * Returns a function that takes the events of a log in order and returns true for the end of a turn whose last step was cut
 * off by the end of the app, or in an older log.
 */
function createCutOff(): (event: LogEvent) => boolean {
  let isOpen = false;
  return ({ t }) => {
    const isEnd = t === 'turn.end' && isOpen;
    if (t === 'assistant.piece') isOpen = true;
    if (t === 'assistant' || t === 'request.cut' || t === 'turn.end') isOpen = false;
    return isEnd;
  };
}
