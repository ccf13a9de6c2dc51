/** Names this page among all that show the open game, until it is reloaded. */
export const PAGE = crypto.randomUUID();
