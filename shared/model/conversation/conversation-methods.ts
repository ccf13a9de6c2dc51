import { z } from 'zod';
import { method } from '../../method.ts';
import { SessionPlace, SessionSummary, TrashedSummary } from '../chat.ts';
import { SessionHit } from './session-hit.ts';

const nothing = z.strictObject({});
const id = z.string().min(1).max(200);

/** The list of conversations: search, export, trash. Part of the contract, which joins it. */
export const conversationMethods = {
  /** A part of the list of conversations, newest first; `next` is the `after` of the next part. `total` counts all. */
  'chat.sessions': method(
    z.strictObject({ after: SessionPlace.nullable().default(null), limit: z.int().min(1).max(200).default(100) }),
    z.object({ sessions: z.array(SessionSummary), next: SessionPlace.nullable(), total: z.int().min(0) }),
  ),
  /**
   * Searches the titles and texts of some conversations for all words of `text`, newest first, for a fraction of a second; `next`
   * is the `after` of the next part, null at the end. `searched` counts the conversations of this part.
   */
  'chat.search': method(
    z.strictObject({ text: z.string().trim().min(1).max(200), after: SessionPlace.nullable().default(null) }),
    z.object({
      hits: z.array(SessionHit),
      next: SessionPlace.nullable(),
      searched: z.int().min(0),
      total: z.int().min(0),
    }),
  ),
  /** Ends running searches: their parts end early. */
  'chat.endSearch': method(nothing, nothing),
  /** A conversation as Markdown, without keys and absolute paths. */
  'chat.export': method(z.strictObject({ session: id }), z.object({ title: z.string(), text: z.string() })),
  /**
   * Moves a conversation to the trash. If it is open, its turn is stopped first, and the newest other one is opened. `E_CONFLICT`
   * (`chat.elsewhere`) while another program has it open.
   */
  'chat.remove': method(z.strictObject({ session: id }), nothing),
  /** Brings a conversation back from the trash. `E_NOT_FOUND` (`chat.trashGone`) when it is not there any more. */
  'chat.restore': method(z.strictObject({ session: id }), nothing),
  /** The deleted conversations that can be brought back, the latest deletion first. */
  'chat.trash': method(nothing, z.object({ sessions: z.array(TrashedSummary) })),
  /**
   * Removes a deleted conversation for good, with the pictures that no other conversation has; `session` null: all of them.
   * `E_NOT_FOUND` (`chat.trashGone`) when it is not there any more.
   */
  'chat.erase': method(z.strictObject({ session: id.nullable() }), nothing),
};
