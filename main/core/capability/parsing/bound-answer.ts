/** Maximum characters of an answer to the model, as JSON. Tools stay below it by their own pages; this is the last resort. */
export const MAX_ANSWER_LENGTH = 24_000;

/** The characters that a tool spends on the text of an answer; the rest is for the fields around it and JSON's escapes. */
export const MAX_ANSWER_TEXT = 20_000;

/**
 * Returns an answer of at most about `MAX_ANSWER_LENGTH` characters: the longest lists lose their ends first, then the longest
 * texts. `leftOut` says what is missing.
 */
export function boundAnswer(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer;
  let length = JSON.stringify(answer).length;
  if (length <= MAX_ANSWER_LENGTH) return answer;
  const fields = new Map<string, unknown>(Object.entries(answer));
  const notes: string[] = [];
  for (const isWanted of [Array.isArray, (value: unknown) => typeof value === 'string']) {
    const sized = [...fields]
      .filter(([, value]) => isWanted(value))
      .map(([name, value]) => ({ name, value: value as unknown[] | string, size: JSON.stringify(value).length }))
      .sort((a, b) => b.size - a.size);
    for (const { name, value, size } of sized) {
      const excess = length - MAX_ANSWER_LENGTH + 400;
      if (excess <= 0) break;
      const kept = keepStart(value, Math.max(0, size - excess));
      if (kept.length === value.length) continue;
      fields.set(name, kept);
      notes.push(
        typeof value === 'string'
          ? `${name}: ${value.length - kept.length} more characters`
          : `${name}: ${value.length - kept.length} of ${value.length} more entries`,
      );
      length -= size - JSON.stringify(kept).length;
    }
  }
  if (notes.length === 0) return answer;
  const known = fields.get('leftOut');
  const said = `Too long for one answer; left out: ${notes.join(', ')}. Ask for less at a time.`;
  fields.set('leftOut', typeof known === 'string' ? `${known} ${said}` : said);
  return Object.fromEntries(fields);
}

function keepStart(value: unknown[] | string, size: number): unknown[] | string {
  if (typeof value === 'string') {
    let kept = value.slice(0, size);
    // Escapes make the JSON longer than the text.
    while (JSON.stringify(kept).length > size + 2 && kept.length > 0)
      kept = kept.slice(0, Math.floor(kept.length * 0.9));
    return kept.toWellFormed();
  }
  let length = 2;
  let count = 0;
  for (const entry of value) {
    length += JSON.stringify(entry).length + 1;
    if (length > size) break;
    count += 1;
  }
  return value.slice(0, count);
}
