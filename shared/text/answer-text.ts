/**
 * Returns the answer to a question as text for the model and the session log: the options that were chosen, each quoted on its own
 * line, then the user's own words.
 */
export function toAnswerText(chosen: readonly string[], words: string): string {
  return [...chosen.map((option) => `“${option}”`), ...(words === '' ? [] : [words])].join('\n');
}
