import { type DiagnosticMessage, say } from '../../../i18n/diagnostics.ts';
import { findSyntaxError, scanExpression } from '../../syntax/expression.ts';
import { type LineReport, replaceFix } from '../../syntax/line-report.ts';
import { HAS, type Statement } from '../../syntax/scan.ts';
import { CALCULABLE_NAME, checkShorthand, checkSpacedShorthand } from './shorthand.ts';

const BECOMES_EMPTY = say('notes.becomesEmpty');
const STUCK = say('notes.stuck');

/** A part of a line: its text and 0-based columns, the end exclusive. */
export interface Span {
  text: string;
  start: number;
  end: number;
}

const RESERVED = new Set(['hasOwnProperty', '__proto__']);

/** Checks the assignment of a `setVar`. */
export function checkAssignment(statement: Statement, report: LineReport): void {
  const { text, contentStart, contentEnd, argsStart } = statement;
  const content = text.slice(contentStart, contentEnd);
  const equals = content.indexOf('=');
  if (equals < 0) {
    const wide = content.indexOf('＝');
    if (wide >= 0) {
      const at = contentStart + wide;
      report.add('fullwidth-punctuation', at, at + 1, {
        severity: 'error',
        values: { mark: '＝', plain: '=', effect: say('notes.unchanged') },
        fixes: [replaceFix(at, at + 1, '=')],
      });
      return;
    }
    if (checkSpacedShorthand(statement, content.trim(), report)) return;
    report.add('setvar-malformed', contentStart, Math.max(contentEnd, contentStart + 1), {
      values: { effect: say('notes.noEquals') },
    });
    return;
  }
  const name = content.slice(0, equals).trim();
  const nameEnd = contentStart + equals;
  if (name === '') {
    report.add('setvar-malformed', contentStart, nameEnd + 1, {
      values: { effect: say('notes.noName') },
    });
    return;
  }
  if (RESERVED.has(name)) {
    report.add('reserved-name', contentStart, nameEnd, {
      values: {
        name,
        effect: name === '__proto__' ? say('notes.dropped') : say('notes.variablesLost'),
      },
    });
    return;
  }
  const shorthand = /^(.*?)\s*([+\-*/])$/s.exec(name);
  if (shorthand !== null && shorthand[1] !== '') {
    checkShorthand(statement, { name: shorthand[1] ?? '', sign: shorthand[2] ?? '', equals: nameEnd }, report);
    return;
  }
  if (!name.includes('{')) report.refer('write', name, contentStart, contentStart + name.length);
  const second = content.indexOf('=', equals + 1);
  if (second >= 0 && !/[<>!]$/.test(content.slice(0, second))) {
    const stored = content.slice(equals + 1, second);
    report.add('setvar-malformed', nameEnd, contentEnd, {
      values: {
        effect: say('notes.twoEquals', { stored }),
      },
    });
    return;
  }
  if (checkLostMinus(statement, report, name)) return;
  const from = contentStart + equals + 1;
  void argsStart;
  checkValue({ text: text.slice(from, contentEnd), start: from, end: contentEnd }, name, report);
}

/** Finds a ` -` inside a calculation, which the engine takes for the start of an argument. */
function checkLostMinus(statement: Statement, report: LineReport, name: string): boolean {
  const [first] = statement.arguments;
  if (first === undefined || first.isVoice || statement.command?.arguments.has(first.name)) return false;
  if (!/^[\w.$(\u0080-\uffff]+([\s+\-*/().\w]*)$/.test(first.name) || first.raw !== null) return false;
  const { text, argsStart, contentEnd, colon } = statement;
  const known = statement.command?.arguments;
  // A name that differs from a known argument only in case is a mistyped argument, not a minus.
  if (known !== undefined && [...known.keys()].some((key) => key.toLowerCase() === first.name.toLowerCase()))
    return false;
  const value = text.slice(text.indexOf('=', colon) + 1, contentEnd).trim();
  report.add('setvar-dash', argsStart, first.nameEnd, {
    values: { lost: text.slice(argsStart + 1, first.nameEnd), name, kept: value },
    fixes: [
      {
        title: say('fixes.spaceBeforeMinus'),
        edits: [{ start: contentEnd, end: argsStart + 1, text: '' }, ...blankAfterMinus(text, argsStart + 2)],
      },
    ],
  });
  return true;
}

function blankAfterMinus(text: string, from: number) {
  const blanks = text.slice(from).length - text.slice(from).trimStart().length;
  return blanks === 0 ? [] : [{ start: from, end: from + blanks, text: '' }];
}

const CALL = /^\s*([A-Za-z_$][\w$]*)\s*\((.*)\)\s*$/s;
/** Frequent misspellings of true and false, and other cases; the engine knows only the lower case. */
const MISSPELT_TRUTH = /^(?:(true|ture|treu|tue|trur)|false|flase|fasle|fales|flse)$/i;
const ARITHMETIC = /[+\-*/()]/;

function checkValue(span: Span, name: string, report: LineReport): void {
  const { text, start, end } = span;
  const value = text.trim();
  if (value === '' || text.length > 10_000 || text.includes('{')) return;
  const from = start + (text.length - text.trimStart().length);
  const to = from + value.length;
  const plus = /^\+\s*(\d+(?:\.\d+)?)$/.exec(value);
  if (plus !== null) {
    const sum = `${name}+${plus[1]}`;
    report.add('setvar-plus', from, to, {
      values: { name, value: plus[1] ?? '' },
      // The engine calculates with Latin names only.
      ...(CALCULABLE_NAME.test(name) && { fixes: [replaceFix(from, to, sum)] }),
    });
    return;
  }
  const call = CALL.exec(text);
  if (call !== null) {
    checkCall(call, { text: value, start: from, end: to }, report);
    return;
  }
  if (ARITHMETIC.test(value)) {
    checkArithmetic({ text: value, start: from, end: to }, name, report);
    return;
  }
  if (/true|false/.test(value)) {
    if (value !== 'true' && value !== 'false') {
      report.add('setvar-text', from, to, {
        values: { what: say('notes.truth'), name, value, result: String(value.includes('true')) },
      });
    }
    return;
  }
  const truth = MISSPELT_TRUTH.exec(value);
  if (truth !== null) {
    const near = truth[1] === undefined ? 'false' : 'true';
    report.add('setvar-truth', from, to, { values: { name, value, near }, fixes: [replaceFix(from, to, near)] });
    return;
  }
  if (/^[A-Za-z_$\u0080-\uffff][\w.$\u0080-\uffff]*$/.test(value)) {
    report.refer('value', value, from, to);
    return;
  }
  const comparison = /^[\w.$]+\s*(%|>=?|<=?|&&|\|\|)\s*[\w.$"']+$|^(!)[A-Za-z_]\w*$/.exec(value);
  if (comparison !== null) {
    report.add('setvar-operator', from, to, { values: { operator: comparison[1] ?? comparison[2] ?? '', value } });
  }
  void end;
}

function checkCall(call: RegExpExecArray, span: Span, report: LineReport): void {
  const [, callee = '', inside = ''] = call;
  const tokens = scanExpression(`(${inside})`);
  const isBroken = findSyntaxError(tokens) !== null || inside.trim().endsWith(',');
  if (isBroken) {
    report.add('expression-syntax', span.start, span.end, { values: { part: span.text, effect: STUCK } });
  } else if (callee !== 'random') {
    report.add('unknown-function', span.start, span.start + callee.length, {
      values: {
        why: whyNotCallable(callee, 'sum'),
        effect: say('notes.losesValue'),
      },
    });
  }
}

/** Why a function cannot be called in a condition or a calculation, as the beginning of a sentence. */
export function whyNotCallable(name: string, where: 'condition' | 'sum'): DiagnosticMessage {
  if (name !== 'random') {
    return say('notes.onlyRandom', { name });
  }
  return where === 'condition' ? say('notes.randomCondition') : say('notes.randomAlone');
}

const SIMPLE_SUM = /^([A-Za-z_$][\w.$]*)\s*[+\-*/]\s*\d+(?:\.\d+)?$/;

function checkArithmetic(span: Span, name: string, report: LineReport): void {
  const { text, start, end } = span;
  if (/^(["']).*\1$/s.test(text) && text.indexOf(text[0] as string, 1) === text.length - 1) return;
  // Fast path for the most common form: one variable and one number.
  const simple = SIMPLE_SUM.exec(text);
  if (simple !== null) {
    const variable = simple[1] as string;
    report.refer('calculation', variable, start, start + variable.length);
    return;
  }
  const tokens = scanExpression(text, start);
  if (/^\d{2,4}([-/]\d{1,2}){1,2}$/.test(text)) {
    report.add('setvar-text', start, end, {
      severity: /^\d+[-/]\d+$/.test(text) ? 'info' : 'warning',
      values: {
        what: say('notes.sum'),
        name,
        value: text,
        result: say('notes.sumResult'),
      },
    });
    return;
  }
  const broken = findSyntaxError(tokens);
  const callee = tokens.find((token, index) => token.kind === 'name' && tokens[index + 1]?.text === '(');
  if (callee !== undefined && broken === null && /^[\w$]+$/.test(callee.text)) {
    report.add('unknown-function', callee.start, callee.end, {
      values: { why: whyNotCallable(callee.text, 'sum'), effect: BECOMES_EMPTY },
    });
    return;
  }
  const hasWide = tokens.some((token) => token.kind === 'name' && !/^[\w.$]+$/.test(token.text));
  if (broken !== null) {
    if (hasWide || /[,!?]/.test(text)) addText(span, name, report, say('notes.empty'));
    else report.add('expression-syntax', broken.start, broken.end, { values: { part: text, effect: BECOMES_EMPTY } });
    return;
  }
  for (const token of tokens) {
    if (token.kind !== 'name' || token.text === 'true' || token.text === 'false') continue;
    if (/^[A-Za-z_$][\w.$]*$/.test(token.text)) {
      report.refer('calculation', token.text, token.start, token.end);
    } else {
      report.refer('calculation', token.text, token.start, token.end, { note: 'wide' });
    }
  }
}

function addText(span: Span, name: string, report: LineReport, result: DiagnosticMessage): void {
  report.add('setvar-text', span.start, span.end, {
    values: { what: say('notes.sum'), name, value: span.text, result },
  });
}

/**
 * Adds references for `{name}` in displayed text; in JSON most braces are not variables, so there they yield no
 * findings.
 */
export function referToInterpolations(
  statement: Statement,
  report: LineReport,
  role: 'interpolation' | 'value' = 'interpolation',
): void {
  if ((statement.mask & HAS.brace) === 0) return;
  const { text, end, argsStart } = statement;
  const kind = statement.command?.content.kind;
  const note =
    kind === 'asset' || kind === 'scene' ? 'file' : kind === 'jump' ? 'label' : kind === 'variable' ? 'input' : '';
  let open = text.indexOf('{');
  while (open >= 0 && open < end) {
    const close = text.indexOf('}', open);
    if (close < 0 || close >= end) return;
    const isEscaped = text.charCodeAt(open - 1) === 92;
    if (!isEscaped) {
      const inside = text.slice(open + 1, close);
      const name = inside.trim();
      if (name.length < 200 && NAME.test(name)) {
        const noted = open < argsStart && note !== '' ? { note } : {};
        if (inside === name) report.refer(role, name, open, close + 1, noted);
        else if (role === 'interpolation') report.refer('spaced-name', name, open, close + 1, noted);
      }
    }
    open = text.indexOf('{', isEscaped ? open + 1 : close + 1);
  }
}

const NAME = /^[\w.$\u0080-\uffff]+$/;
