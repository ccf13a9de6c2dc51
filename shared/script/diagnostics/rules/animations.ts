import { type DiagnosticMessage, say } from '../../../i18n/diagnostics.ts';
import { escapePattern } from '../../../text/escape-pattern.ts';
import { findNearNames } from '../../project-index/near-names.ts';
import { MISNAMED_TRANSFORM_KEYS, TRANSFORM_KEYS } from '../../syntax/command-values.ts';
import { type LineReport, replaceFix } from '../../syntax/line-report.ts';
import type { Statement } from '../../syntax/scan.ts';

interface JsonSpan {
  start: number;
  end: number;
  isList: boolean;
}

/** Checks JSON in a line: a transform or a list of frames. */
export function checkJson(statement: Statement, report: LineReport, span: JsonSpan): void {
  const { text } = statement;
  const source = text.slice(span.start, span.end);
  if (source === '' || source.length > 100_000) return;
  let value: unknown;
  try {
    value = JSON.parse(source.replaceAll('\\;', ';'));
  } catch {
    // Invalid JSON becomes a finding, unless it contains a variable, which is replaced before the engine parses it.
    if (/\{[A-Za-z_$\u0080-\uffff][\w.$\u0080-\uffff]*\}/.test(source)) return;
    if (checkJsonDash(statement, report, span)) return;
    report.add('invalid-json', span.start, span.end, {
      values: {
        effect: span.isList ? say('notes.animationSilent') : say('notes.noTransform'),
      },
    });
    return;
  }
  if (!span.isList) {
    checkTransform(value, { source, start: span.start, isContent: span.start < statement.argsStart }, report);
    return;
  }
  if (!Array.isArray(value)) {
    report.add('animation-not-list', span.start, span.end, {
      fixes: [
        {
          title: say('fixes.brackets'),
          edits: [
            { start: span.start, end: span.start, text: '[' },
            { start: span.end, end: span.end, text: ']' },
          ],
        },
      ],
    });
    return;
  }
  const frames = value as unknown[];
  if (
    frames.some(
      (frame) =>
        typeof frame === 'object' && frame !== null && typeof (frame as Record<string, unknown>).duration !== 'number',
    )
  ) {
    report.add('frame-duration', span.start, span.end);
  }
  for (const frame of frames.slice(0, 200))
    checkTransform(frame, { source, start: span.start, isContent: false }, report);
}

function checkJsonDash(statement: Statement, report: LineReport, span: JsonSpan): boolean {
  const { text } = statement;
  if (text.slice(span.end, span.end + 2) !== ' -' || !/[:,[]\s*$/.test(text.slice(span.start, span.end))) return false;
  const stop = Math.max(text.lastIndexOf('}', statement.end - 1), text.lastIndexOf(']', statement.end - 1)) + 1;
  if (stop <= span.end) return false;
  const edits = [];
  for (const match of text.slice(span.end, stop).matchAll(/([:,[])?( +)(?=-)/g)) {
    const at = span.end + match.index + (match[1] ?? '').length;
    edits.push({ start: at, end: at + (match[2] ?? '').length, text: '' });
  }
  report.add('json-dash', span.end, stop, {
    values: { lost: text.slice(span.end, stop).trim() },
    fixes: [{ title: say('fixes.spaceBeforeNegative'), edits }],
  });
  return true;
}

/** Limits the keys that are checked per object. */
const MAX_KEYS = 200;

interface JsonPlace {
  source: string;
  /** 0-based column of `source`. */
  start: number;
  /** True for the transform of `setTransform`, which starts where the figure is. */
  isContent: boolean;
}

/** Reports a value that the engine cannot use; `wanted` is a certain replacement, or null with an example. */
function reportValue(
  { parent, key, value }: { parent?: string; key: string; value: number | string },
  { wanted, example, effect }: { wanted: string | null; example: string; effect: DiagnosticMessage },
  place: JsonPlace,
  report: LineReport,
): void {
  const literal = JSON.stringify(value);
  const from = parent === undefined ? 0 : Math.max(0, place.source.indexOf(JSON.stringify(parent)));
  const found = new RegExp(`(${escapePattern(JSON.stringify(key))}\\s*:\\s*)${escapePattern(literal)}(?![\\w.])`).exec(
    place.source.slice(from),
  );
  const start = place.start + (found === null ? 0 : from + found.index + (found[1] ?? '').length);
  const end = found === null ? place.start + place.source.length : start + literal.length;
  report.add('transform-value', start, end, {
    values: { key: parent === undefined ? key : `${parent}.${key}`, value: literal, wanted: wanted ?? example, effect },
    ...(wanted !== null && found !== null && { fixes: [replaceFix(start, end, wanted)] }),
  });
}

/** The engine reads only x and y of a position or scale. */
function checkPoint(point: object, name: string, place: JsonPlace, report: LineReport): void {
  if (report.isFull) return;
  // Seen in 4.5.18: "100" becomes 100000. Published games have texts in the transform of a changeFigure, which is not checked.
  if (name === 'position' && place.isContent) {
    for (const [key, value] of Object.entries(point).slice(0, MAX_KEYS)) {
      if (typeof value !== 'string' || (key !== 'x' && key !== 'y')) continue;
      const wanted = /^-?\d+(?:\.\d+)?$/.test(value) ? String(Number(value)) : null;
      const expected = { wanted, example: '100', effect: say('notes.textNumber') };
      reportValue({ parent: name, key, value }, expected, place, report);
    }
  }
  const wrong = Object.keys(point).find((key) => key !== 'x' && key !== 'y');
  if (wrong === undefined) return;
  const quoted = JSON.stringify(wrong);
  const at = place.source.indexOf(quoted, Math.max(0, place.source.indexOf(JSON.stringify(name))));
  const start = place.start + Math.max(at, 0);
  const end = at < 0 ? place.start + place.source.length : start + quoted.length;
  const near = /^[xy]$/i.test(wrong) ? wrong.toLowerCase() : undefined;
  report.add('unknown-transform-key', start, end, {
    values: {
      key: `${name}.${wrong}`,
      near: near === undefined ? '' : say('notes.writeNear', { near }),
    },
    ...(near !== undefined && at >= 0 && { fixes: [replaceFix(start, end, JSON.stringify(near))] }),
  });
}

const KEYS = new Set<string>([...TRANSFORM_KEYS, 'duration', 'ease']);

function checkTransform(value: unknown, place: JsonPlace, report: LineReport): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  let left = MAX_KEYS;
  for (const key of Object.keys(value)) {
    left -= 1;
    if (left < 0) return;
    const entry = (value as Record<string, unknown>)[key];
    if (key === 'position' || key === 'scale') {
      if (typeof entry === 'object' && entry !== null) checkPoint(entry, key, place, report);
      else if (typeof entry === 'number') {
        const wanted = key === 'scale' ? `{"x":${entry},"y":${entry}}` : null;
        const expected = { wanted, example: '{"x":…,"y":…}', effect: say('notes.pointIgnored') };
        reportValue({ key, value: entry }, expected, place, report);
      }
    }
    if (key === 'alpha' && typeof entry === 'number' && entry > 1) {
      const expected = {
        wanted: null,
        example: entry > 100 ? '1' : String(entry / 100),
        effect: say('notes.percentAlpha'),
      };
      reportValue({ key, value: entry }, expected, place, report);
    }
    const isTurned =
      key === 'rotation' && typeof entry === 'number' && Math.abs(entry) > 6.3 && Number.isInteger(entry);
    if (KEYS.has(key) && !isTurned) continue;
    const quoted = JSON.stringify(key);
    const at = place.source.indexOf(quoted);
    const start = place.start + Math.max(at, 0);
    const end = at < 0 ? place.start + place.source.length : start + quoted.length;
    if (!KEYS.has(key)) {
      const near = MISNAMED_TRANSFORM_KEYS.get(key) ?? findNearNames(key, KEYS, 1)[0];
      report.add('unknown-transform-key', start, end, {
        values: {
          key,
          near: near === undefined ? '' : say('notes.didYouMean', { near }),
        },
        ...(near !== undefined && at >= 0 && { fixes: [replaceFix(start, end, JSON.stringify(near))] }),
      });
    } else {
      const radians = String(Math.round(((entry as number) * Math.PI * 1000) / 180) / 1000);
      const number = at < 0 ? null : /^\s*:\s*(-?\d+)/.exec(place.source.slice(at + quoted.length));
      const numberEnd = number === null ? end : end + number[0].length;
      const numberStart = number === null ? start : numberEnd - (number[1] ?? '').length;
      report.add('rotation-degrees', numberStart, numberEnd, {
        values: { value: String(entry), radians },
        ...(number !== null && { fixes: [replaceFix(numberStart, numberEnd, radians)] }),
      });
    }
  }
}
