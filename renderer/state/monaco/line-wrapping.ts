/** What Monaco passes to compute line breaks: line numbers are 1-based, a break is Monaco's own object. */
export interface WrappingContext {
  getLineContent(line: number): string;
  /** Inlay hints and other text that is shown but not part of the line. */
  getLineInjectedText(line: number): readonly unknown[] | null;
}

export interface WrappingFont {
  isMonospace: boolean;
  typicalHalfwidthCharacterWidth: number;
  typicalFullwidthCharacterWidth: number;
}

export interface WrappingComputer<Break> {
  addRequest(line: number, previous: Break | null): void;
  /** One result per request, in order; null for a line that fits. */
  finalize(): (Break | null)[];
}

export interface WrappingFactory<Break, Rest extends unknown[]> {
  /** `column`: the width in characters of half width; -1 disables wrapping. */
  createLineBreaksComputer(
    context: WrappingContext,
    font: WrappingFont,
    tabSize: number,
    column: number,
    ...rest: Rest
  ): WrappingComputer<Break>;
}

/**
 * Longer lines are estimated. Measuring asks the browser for the position of characters within one run of text, which
 * takes longer the longer the run is: 80,000 characters block the page for ten seconds.
 */
const MAX_MEASURED_LINE = 1_000;
/** Characters measured at once; the lines after them are estimated until they change. */
const MAX_MEASURED = 20_000;
/** Estimated lines break early, because glyphs such as emoji are wider than estimated and must not be cut off. */
const ESTIMATED_PART = 0.9;

/**
 * Decides for each line how its breaks are computed: not at all if it certainly fits, measured by the browser, or
 * estimated from the number of characters. The estimate is linear and needs no layout.
 */
export function createLineWrapping<Break, Rest extends unknown[]>(
  measured: WrappingFactory<Break, Rest>,
  estimated: WrappingFactory<Break, Rest>,
): WrappingFactory<Break, Rest> {
  return {
    createLineBreaksComputer(context, font, tabSize, column, ...rest) {
      const measure = measured.createLineBreaksComputer(context, font, tabSize, column, ...rest);
      if (column < 0) return measure;
      const narrow = Math.max(1, Math.floor(column * ESTIMATED_PART));
      const estimate = estimated.createLineBreaksComputer(context, font, tabSize, narrow, ...rest);
      const lines: number[] = [];
      return {
        // Monaco reuses the arrays of an earlier result, which may be from the other way to compute it.
        addRequest: (line) => void lines.push(line),
        finalize() {
          let left = MAX_MEASURED;
          const ways = lines.map((line) => {
            const text = context.getLineContent(line);
            if (context.getLineInjectedText(line) === null && fits(text, font, column)) return null;
            const way = text.length <= Math.min(MAX_MEASURED_LINE, left) ? measure : estimate;
            if (way === measure) left -= text.length;
            way.addRequest(line, null);
            return way;
          });
          // Even without a line, measuring would change the page.
          const used = [measure, estimate].filter((way) => ways.includes(way));
          const found = new Map(used.map((way) => [way, way.finalize().values()]));
          return ways.map((way) => (way && found.get(way)?.next().value) ?? null);
        },
      };
    },
  };
}

/** True for characters that are certainly as wide as a full-width one: CJK letters and punctuation. */
function isWide(code: number): boolean {
  return (
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0x3000 && code <= 0x30ff) ||
    (code >= 0xff01 && code <= 0xff5e) ||
    (code >= 0x3400 && code <= 0x4dbf)
  );
}

/** True if a line is certainly not wider than `column`. False for any character whose width is not known. */
function fits(text: string, font: WrappingFont, column: number): boolean {
  const wide = font.typicalFullwidthCharacterWidth;
  const plain = font.isMonospace ? font.typicalHalfwidthCharacterWidth : wide;
  // One character less, because widths are rounded.
  let left = column * font.typicalHalfwidthCharacterWidth - wide;
  if (text.length * Math.min(plain, wide) > left) return false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isPlain = code >= 0x20 && code <= 0x7e;
    if (!isPlain && !isWide(code)) return false;
    left -= isPlain ? plain : wide;
    if (left < 0) return false;
  }
  return true;
}
