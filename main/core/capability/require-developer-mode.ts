import { AppError } from '../../../shared/errors.ts';
import type { ToolRuntime } from './define-tool.ts';

/** For tools that need no leave for a call and are there in developer mode only: `E_TOOL_DISABLED` outside of it. */
export function requireDeveloperMode(runtime: ToolRuntime): void {
  if (runtime.developerMode()) return;
  throw new AppError('E_TOOL_DISABLED', 'This is only there in developer mode.', {
    hint: 'Do without it.',
    reason: 'tool.developerOnly',
  });
}
