import { createJsonScanner, FOREIGN_JSON, type JsonScanner } from '../../../../shared/text/bounded-json.ts';
import type { ClassifiedError } from '../classify-error.ts';

/** Maximum of argument characters in one step: far above a scene, and small enough for the memory. */
const MAX_ARGUMENT_CHARACTERS = 8_000_000;
/** Maximum of calls in one step: far above what the loop carries out. Reading ten thousand holds the app for seconds. */
const MAX_CALLS = 1000;

const TOO_LONG: ClassifiedError = { problem: 'endless', detail: 'The arguments had no end.', retryable: false };
const TOO_MANY: ClassifiedError = { problem: 'endless', detail: `More than ${MAX_CALLS} calls.`, retryable: false };

/** Counts the calls of a step while they arrive. Both functions return the failure that ends the step, if any. */
export interface CallLimits {
  begin(): ClassifiedError | undefined;
  /** Takes a piece of the arguments of the call `id`. */
  take(id: string, piece: string): ClassifiedError | undefined;
}

export function createCallLimits(): CallLimits {
  let calls = 0;
  let characters = 0;
  const scanners = new Map<string, JsonScanner>();
  const encoder = new TextEncoder();
  return {
    begin() {
      calls += 1;
      return calls > MAX_CALLS ? TOO_MANY : undefined;
    },
    take(id, piece) {
      characters += piece.length;
      if (characters > MAX_ARGUMENT_CHARACTERS) return TOO_LONG;
      const scanner = scanners.get(id) ?? createJsonScanner(FOREIGN_JSON);
      scanners.set(id, scanner);
      try {
        scanner.scan(encoder.encode(piece));
        return undefined;
      } catch (error) {
        return { problem: 'badAnswer', detail: String(error), retryable: false };
      }
    },
  };
}
