import { z } from 'zod';

/** Where the words of a search occur: in the title of a conversation or in a text of it. */
export const SessionHit = z.object({
  session: z.string(),
  title: z.string(),
  at: z.number(),
  isForeign: z.boolean(),
  /** Id of the row; null for the title, and for a text without a row of its own. */
  row: z.string().nullable(),
  by: z.enum(['title', 'user', 'assistant']),
  /** The first of the words as it is written, and some text around it. */
  before: z.string(),
  match: z.string(),
  after: z.string(),
});
export type SessionHit = z.infer<typeof SessionHit>;
