import { ViewerResult } from '../../../shared/model/viewer.ts';
import type { Clock } from '../ports/host.ts';
import type { ViewerDoor } from '../ports/viewer/viewer-door.ts';
import type { ToolRunner } from '../services.ts';

/** The trace of these calls in the audit log; a turn has an id of its own. */
const TRACE = 'viewer-door';

/**
 * Lets other programs of the user call `viewer_action` of the open game, through the same pipeline as the assistant: rules,
 * settings, rate limit and audit log. Without a question, because no conversation runs: what needs one is refused. In the
 * background: the game opens without it.
 */
export function openViewerDoor(
  door: ViewerDoor,
  {
    tools,
    clock,
    onFault,
  }: { tools: ToolRunner; clock: Clock; onFault: (fault: { where: string; error: unknown }) => void },
): { close(): Promise<void> } {
  const opened = door.open(async (call, signal) => {
    const { ok, value, error } = await tools.run({
      ...{ id: clock.id(), name: 'viewer_action', input: call, mode: 'act', trace: TRACE, signal },
      confirm: async () => false,
    });
    if (!ok) return { success: false, message: error?.message ?? 'The app could not do that.' };
    // A picture is stored beside the conversations; other programs receive its words.
    const { picture, ...result } = ViewerResult.parse(value);
    return picture
      ? { ...result, message: 'This is what the stage shows; pictures go to the assistant only.' }
      : result;
  });
  opened.catch((error: unknown) => onFault({ where: 'the window for other programs', error }));
  return {
    async close() {
      await (await opened.catch(() => undefined))?.close();
    },
  };
}
