import { AppError } from '../../../shared/errors.ts';
import type { ToolRuntime } from '../../core/capability/tool-runtime.ts';

/** Throws `E_TOOL_DISABLED` outside of developer mode, for tools that need no permission. */
export function requireDeveloperMode(runtime: ToolRuntime): void {
  if (runtime.developerMode()) return;
  throw new AppError('E_TOOL_DISABLED', 'This is only there in developer mode.', {
    hint: 'Do without it.',
    reason: 'tool.developerOnly',
  });
}
