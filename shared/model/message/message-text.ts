import { z } from 'zod';

/** The longest message to the assistant, in UTF-16 units. */
export const MAX_MESSAGE_CHARACTERS = 100_000;

/** The text of a user's message. */
export const MessageText = z.string().trim().min(1).max(MAX_MESSAGE_CHARACTERS);
