const WIDE =
  /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3ffff}]/u;

/** Estimates the width of a text in pixels, to reserve space where text cannot be measured (in a worker). */
export function estimateWidth(text: string, fontSize: number): number {
  let units = 0;
  for (const character of text) units += WIDE.test(character) ? 1 : /[A-ZMW@%mw]/.test(character) ? 0.72 : 0.55;
  return units * fontSize;
}

/** Returns the text, truncated with an ellipsis to fit `width`. Never splits a character. */
export function fitText(text: string, width: number, fontSize: number): string {
  if (estimateWidth(text, fontSize) <= width) return text;
  let room = width - fontSize * 0.9;
  let fitting = '';
  for (const character of text) {
    room -= estimateWidth(character, fontSize);
    if (room < 0) break;
    fitting += character;
  }
  return `${fitting.trimEnd()}…`;
}

/** Like `fitText`, but keeps the end of the text: titles that begin alike differ there. */
export function fitTitle(text: string, width: number, fontSize: number): string {
  if (estimateWidth(text, fontSize) <= width) return text;
  let room = width / 3;
  let end = '';
  for (const character of [...text].reverse()) {
    room -= estimateWidth(character, fontSize);
    if (room < 0) break;
    end = character + end;
  }
  return fitText(text.slice(0, text.length - end.length), width - estimateWidth(end, fontSize), fontSize) + end;
}
