import { AppError } from '../../../shared/errors.ts';
import type { Tool, ToolChange, ToolPorts, ToolWritten } from './define-tool.ts';

/** What a call changed, as far as it got. */
export interface CallEffects {
  files: Set<string>;
  commands: string[];
}

/** True when everything the tool needs is there in this host. */
export function hasPorts(tool: Tool, ports: Partial<ToolPorts>): boolean {
  return tool.needs.every((name) => ports[name] !== undefined);
}

/**
 * The ports a tool declared and no others, for one call. The writer among them stops working when the call does: a
 * handler that goes on after Stop or its deadline changes nothing any more.
 */
export function grantPorts(
  tool: Tool,
  ports: Partial<ToolPorts>,
  { signal, effects }: { signal: AbortSignal; effects: CallEffects },
): ToolPorts {
  const granted: Partial<Record<keyof ToolPorts, unknown>> = {};
  for (const name of tool.needs) granted[name] = ports[name];
  const { writer } = ports;
  if (tool.needs.includes('writer') && writer !== undefined) {
    granted.writer = {
      ...(writer.rehearse && { rehearse: (change: ToolChange) => writer.rehearse?.(change) }),
      async write(change: ToolChange): Promise<ToolWritten> {
        requireRunning(signal);
        const written = await writer.write(change);
        if (written.repeated !== true) effects.files.add(change.path);
        return written;
      },
      async writeAll(changes: readonly ToolChange[]): Promise<ToolWritten[]> {
        requireRunning(signal);
        const written = await writer.writeAll(changes);
        for (const { path } of changes) effects.files.add(path);
        return written;
      },
    };
  }
  return Object.freeze(granted) as ToolPorts;
}

function requireRunning(signal: AbortSignal): void {
  if (signal.aborted) throw new AppError('E_TIMEOUT', 'The call had already ended. Nothing was changed.');
}
