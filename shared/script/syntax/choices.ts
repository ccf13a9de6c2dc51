/** An option of a `choose`, split as the engine does. Columns are offsets into the scanned text. */
export interface Choice {
  /** Start directly after the preceding bar; `start` excludes leading blanks. */
  from: number;
  start: number;
  end: number;
  /** Conditions for showing and for enabling the option; null when there is none. */
  show: { text: string; start: number; end: number } | null;
  enable: { text: string; start: number; end: number } | null;
  /** Text of the button. */
  label: string;
  labelStart: number;
  labelEnd: number;
  /** Label or scene; empty when there is none. Not trimmed on the left, as in the engine. */
  target: string;
  targetStart: number;
  targetEnd: number;
  /** True when the target is a scene file. */
  isScene: boolean;
  /** Start of the text after a second colon, which the engine drops; -1 when there is none. */
  droppedStart: number;
}

/** Splits the options between the offsets `start` and `end` of a line. */
export function scanChoices(text: string, start: number, end: number): Choice[] {
  const found: Choice[] = [];
  let from = start;
  for (let index = start; index <= end; index += 1) {
    if (index === end || (text.charCodeAt(index) === 124 && !isEscaped(text, index, start))) {
      found.push(toChoice(text, from, index));
      from = index + 1;
    }
  }
  return found;
}

function isEscaped(text: string, index: number, start: number): boolean {
  return index > start && text.charCodeAt(index - 1) === 92;
}

function toChoice(text: string, start: number, end: number): Choice {
  let first = -1;
  let second = -1;
  for (let index = start; index < end; index += 1) {
    if (text.charCodeAt(index) !== 58 || isEscaped(text, index, start)) continue;
    if (first < 0) first = index;
    else {
      second = index;
      break;
    }
  }
  const keyEnd = first < 0 ? end : first;
  const targetStart = first < 0 ? end : first + 1;
  const rawTarget = text.slice(targetStart, second < 0 ? end : second);
  const target = rawTarget.trimEnd();
  const key = text.slice(start, keyEnd);
  const arrow = key.indexOf('->');
  const conditions = arrow < 0 ? '' : key.slice(0, arrow);
  const labelFrom = arrow < 0 ? start : start + arrow + 2;
  const rawLabel = text.slice(labelFrom, keyEnd);
  const labelStart = labelFrom + (rawLabel.length - rawLabel.trimStart().length);
  return {
    from: start,
    start: start + (key.length - key.trimStart().length),
    end,
    show: bracketed(conditions, start, '(', ')'),
    enable: bracketed(conditions, start, '[', ']'),
    label: rawLabel.trim(),
    labelStart,
    labelEnd: Math.max(labelStart, labelFrom + rawLabel.trimEnd().length),
    target,
    targetStart,
    targetEnd: targetStart + target.length,
    isScene: target.includes('.'),
    droppedStart: second,
  };
}

/** Like the engine, takes the text between the first opening and the last closing character. */
function bracketed(text: string, offset: number, open: string, close: string) {
  const from = text.indexOf(open);
  if (from < 0) return null;
  const to = text.lastIndexOf(close);
  if (to < from) return null;
  return { text: text.slice(from + 1, to), start: offset + from + 1, end: offset + to };
}
