import { z } from 'zod';

/** In the order of their shortcuts (Ctrl+1 to Ctrl+9); the rail uses another order. */
export const VIEWS = [
  ...(['write', 'review', 'project', 'history', 'settings', 'story'] as const),
  ...(['audit-log', 'playtest', 'capabilities'] as const),
] as const;
/** The view in the middle of the window. */
export type View = (typeof VIEWS)[number];

/**
 * A menu item of the host that only the page can carry out, because it depends on focus, open files and unsaved text.
 */
export const AppCommand = z.discriminatedUnion('command', [
  z.object({
    command: z.enum([
      'newScene',
      'openGame',
      'closeGame',
      'closeTab',
      'save',
      'undo',
      'redo',
      'selectAll',
      'find',
      'findInGame',
      'replaceInGame',
      'toggleAssistant',
      'toggleStage',
      'showShortcuts',
    ]),
  }),
  z.object({ command: z.literal('openRecent'), id: z.string().min(1).max(200) }),
  z.object({ command: z.literal('showView'), view: z.enum(VIEWS) }),
]);
export type AppCommand = z.infer<typeof AppCommand>;
