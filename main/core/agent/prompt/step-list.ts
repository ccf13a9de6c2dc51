import type { ModelMessage } from '../../ports/models.ts';
import type { LogEventOf } from '../session/log-events.ts';
import { createCallIds } from './call-ids.ts';
import { createOutdatedReads } from './outdated-reads.ts';
import { pushMessage } from './push-message.ts';
import { createStepAnswers, type StepAnswers } from './step-answers.ts';
import { type LoggedCall, toLoggedCalls, toStepMessage } from './step-messages.ts';

/** Adds the steps of the assistant, and the answers to their calls, to a list of messages. */
export interface StepList {
  begin(step: LogEventOf<'assistant'>): void;
  /** Takes how the app understood a call of the newest step; ignores others. */
  called(call: LogEventOf<'tool.call'>): void;
  /** Takes the result of a call of the newest step; ignores others. */
  take(result: LogEventOf<'tool.result'>): void;
  /** Takes a change of a file, which makes earlier reads of it worthless. */
  changed(path: string): void;
  /** Writes the answers so far into the list, and leaves out outdated ones where that is worth it. */
  refresh(): void;
  /** Ends the newest step; later results are ignored. */
  end(): void;
}

/** `room`: characters for all answers of one step. */
export function createStepList(messages: ModelMessage[], room: number): StepList {
  const toCallIds = createCallIds();
  const reads = createOutdatedReads();
  /** The place of each step's answers in `messages`. */
  const places = new Map<StepAnswers, number>();
  let open: {
    step: string;
    calls: ReadonlyMap<string, LoggedCall>;
    /** The file of each call. */
    paths: Map<string, string | undefined>;
    answers: StepAnswers;
  } | null = null;

  const write = (answers: StepAnswers): void => {
    const place = places.get(answers);
    if (place !== undefined) messages[place] = answers.toMessage();
  };

  function refresh(): void {
    if (open) write(open.answers);
    for (const answers of reads.remove()) write(answers);
  }

  function end(): void {
    refresh();
    open = null;
  }

  return {
    begin({ messages: said, step, by }) {
      end();
      const calls = toLoggedCalls(said);
      const ids = toCallIds(calls.map(({ id }) => id));
      const spoken = toStepMessage(said, ids);
      if (spoken) pushMessage(messages, { ...spoken, ...(by && { by }) });
      if (calls.length === 0) return;
      const answers = createStepAnswers(calls, { ids, room });
      // `refresh` writes the answers before anything is read.
      places.set(answers, messages.push({ role: 'tool', content: [] }) - 1);
      open = { step, calls: new Map(calls.map((call) => [call.id, call])), paths: new Map(), answers };
    },
    called({ step, call, paths }) {
      if (open?.step === step) open.paths.set(call, paths[0]);
    },
    take(result) {
      const call = open?.step === result.step ? open.calls.get(result.call) : undefined;
      if (!open || !call) return;
      const size = open.answers.take(result);
      reads.took({ ...call, path: open.paths.get(result.call), size }, result, open.answers);
    },
    changed: reads.changed,
    refresh,
    end,
  };
}
