import { AppError } from '../../../../shared/errors.ts';
import type { Tool } from '../define-tool.ts';

/** Parses a tool's output and drops unknown fields. Throws `E_INTERNAL` on a mismatch. */
export function parseOutput(tool: Tool, value: unknown): unknown {
  const parsed = tool.output.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new AppError('E_INTERNAL', `${tool.name} gave an answer that does not fit its contract.`, {
    cause: parsed.error,
    hint: 'Go on without it; if it made a change, look at the result first.',
  });
}
