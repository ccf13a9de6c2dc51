import { type ErrorData, isRefusal } from '../../../../../shared/errors.ts';
import type { RowOf } from './chat-rows.ts';
import type { ProjectionState, Reducers } from './projection-state.ts';

export const CALL_REDUCERS: Reducers<'tool.call' | 'tool.progress' | 'tool.result' | 'consent.ask' | 'consent.answer'> =
  {
    'tool.call'({ rows, calls, displayOf }, event) {
      const id = toCallKey(event);
      const { turn, at, name, summary, paths } = event;
      const display = displayOf(name);
      const action = display === 'text' ? 'other' : display;
      const item: RowOf<'tool'> = { kind: 'tool', id, turn, at, tool: name, action, summary, state: 'running', paths };
      calls.set(id, item);
      if (display !== 'text') rows.add(item);
    },

    'tool.progress'({ rows, calls }, event) {
      const item = calls.get(toCallKey(event));
      if (!item) return;
      item.progress = event.text;
      rows.touch(item);
    },

    'tool.result'({ rows, calls, consentOf, displayOf }, event) {
      const item = calls.get(toCallKey(event));
      if (!item) return;
      const asked = consentOf.get(toCallKey(event));
      item.state = event.ok ? 'done' : isRefused(event.error, asked) ? 'refused' : 'failed';
      if (event.error) item.error = event.error;
      if (event.assets) item.assets = event.assets;
      rows.touch(item);
      if (!event.ok && displayOf(event.name) === 'text') rows.add(item);
    },

    'consent.ask'({ rows, consents, consentOf }, event) {
      const { id, turn, at, tool, title, summary, why, paths, detail, change, claims, changed, canAlways } = event;
      const item: RowOf<'consent'> = {
        ...{ kind: 'consent', id, turn, at, tool, title, summary, why, paths, canAlways, state: 'pending' },
        ...(detail !== undefined && { detail }),
        ...(change !== undefined && { change }),
        ...(claims !== undefined && { claims }),
        ...(changed !== undefined && { changed }),
      };
      consents.set(id, item);
      consentOf.set(toCallKey(event), item);
      rows.add(item);
    },

    'consent.answer'({ rows, consents }, event) {
      const item = consents.get(event.id);
      if (item) item.state = event.answer;
      rows.touch(item);
    },
  };

/** Closes the calls and consent rows of a turn that has ended. */
export function endCalls({ rows, calls, consents, consentOf }: ProjectionState): void {
  for (const [call, item] of calls) {
    // Calls that are still running when their turn has ended were interrupted or never started.
    if (item.state !== 'running') continue;
    item.state = consentOf.get(call)?.state === 'pending' ? 'refused' : 'failed';
    rows.touch(item);
  }
  for (const item of consents.values()) {
    if (item.state !== 'pending') continue;
    item.state = 'ended';
    rows.touch(item);
  }
  consents.clear();
  consentOf.clear();
  calls.clear();
}

/** Returns the id of a call's row. */
function toCallKey({ step, call }: { step: string; call: string }): string {
  return `${step}:${call}`;
}

/** Returns true if a call did not run because the user or a policy denied it, or the question had no answer. */
function isRefused(error: ErrorData | undefined, asked: RowOf<'consent'> | undefined): boolean {
  return isRefusal(error) || asked?.state === 'pending' || asked?.state === 'no';
}
