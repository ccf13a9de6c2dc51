import type { ModelMessage } from '../../ports/models.ts';
import type { LogEventOf } from '../session/log-events.ts';
import { shareRoom, truncateAnswer } from './bound-answers.ts';
import { escapeBlocksIn } from './prompt-text.ts';
import type { LoggedCall } from './step-messages.ts';

interface Answer {
  name: string;
  id: string;
  /** Undefined until the call has ended. */
  output: unknown;
  /** The output as JSON; its length counts. */
  text: string;
  isError: boolean;
  /** Replaces the answer. */
  note: string | null;
}

/** The answers to the calls of one step, which form one message. */
export interface StepAnswers {
  /** Takes the result of a call; ignores one of an unknown call. Returns the characters of the answer. */
  take(result: LogEventOf<'tool.result'>): number;
  /** Replaces an answer by a note. Returns the number of characters that it frees. */
  leaveOut(call: string, note: string): number;
  /** Returns a new message with exactly one answer for each call. */
  toMessage(): ModelMessage;
}

const INTERRUPTED =
  'Interrupted: this call was NOT carried out, or its outcome is unknown. Check before you rely on it.';

/** Starts without results. `room`: characters for all answers of the step; `ids`: the call ids for the provider. */
export function createStepAnswers(
  calls: readonly LoggedCall[],
  { ids, room }: { ids: ReadonlyMap<string, string>; room: number },
): StepAnswers {
  const answers = new Map<string, Answer>();
  for (const { id, name } of calls) {
    answers.set(id, { name, id: ids.get(id) ?? id, output: undefined, text: '', isError: false, note: null });
  }
  return {
    take({ call, ok, value, error }) {
      const answer = answers.get(call);
      if (!answer) return 0;
      answer.output = ok ? escapeBlocksIn(value ?? null) : escapeBlocksIn({ error: error ?? null });
      answer.text = JSON.stringify(answer.output);
      answer.isError = !ok;
      return answer.text.length;
    },
    leaveOut(call, note) {
      const answer = answers.get(call);
      if (!answer || answer.note !== null) return 0;
      answer.note = note;
      return Math.max(0, answer.text.length - note.length);
    },
    toMessage() {
      const all = [...answers.values()];
      const shown = shareRoom(
        all.map(({ text }) => text.length),
        room,
      );
      const content = all.map((answer, index) => ({
        type: 'tool-result',
        toolCallId: answer.id,
        toolName: answer.name,
        output: toOutput(answer, shown[index] ?? 0),
      }));
      return { role: 'tool', content };
    },
  };
}

function toOutput({ output, text, isError, note }: Answer, shown: number): unknown {
  if (output === undefined) return { type: 'error-text', value: INTERRUPTED };
  if (note !== null) return { type: 'text', value: note };
  if (text.length > shown) return { type: 'text', value: truncateAnswer(text, shown) };
  return { type: isError ? 'error-json' : 'json', value: output };
}
