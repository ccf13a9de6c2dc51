import { z } from 'zod';

/** A file and a line (1-based) of the game; line 0 stands for the whole file. */
export const PlaytestPlace = z.object({ path: z.string(), line: z.int().min(0) });
export type PlaytestPlace = z.infer<typeof PlaytestPlace>;

/** An option that a route takes: the menu, the option's place in the script (from 0) and its text as it was shown. */
export const Pick = PlaytestPlace.extend({ option: z.int().min(0), text: z.string() });
export type Pick = z.infer<typeof Pick>;
