/** Names that every provider accepts in a history. */
const ACCEPTED = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

/**
 * Returns a tool's name as every provider accepts it. A model may call a tool by any name, and a name that a service rejects would
 * make it refuse every later request of the conversation.
 */
export function toAcceptedName(name: string): string {
  if (ACCEPTED.test(name)) return name;
  const plain = name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 60);
  return /^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`;
}
