import { z } from 'zod';
import { ChangeSummary } from '../change-summary.ts';
import { Claim, DeclarationPart } from '../external/declaration.ts';
import { LocalText } from '../local-text.ts';

/** The question shown to the user before a tool call. The session log and the chat store the same fields. */
export const consentQuestion = {
  tool: z.string(),
  title: LocalText,
  /** What the call would do, as a sentence. */
  summary: LocalText,
  /** Why consent is required (`chat:consent.why.<why>`). */
  why: z.string(),
  paths: z.array(z.string()),
  /** The exact text that would be run. */
  detail: z.string().optional(),
  /** The effect on texts. */
  change: ChangeSummary.optional(),
  /** What another program says that its tool does. */
  claims: z.array(Claim).optional(),
  /** What another program changed since the user allowed its tool. */
  changed: z.array(DeclarationPart).optional(),
  /** False where “always allow” would have no effect. */
  canAlways: z.boolean(),
};
