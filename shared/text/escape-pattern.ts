/** Returns a regular expression's source that matches exactly the text. For runtimes without `RegExp.escape`. */
export const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
