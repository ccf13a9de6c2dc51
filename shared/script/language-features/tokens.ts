import { scanChoices } from '../syntax/choices.ts';
import { SAY } from '../syntax/commands.ts';
import { HAS, Statement } from '../syntax/scan.ts';

export type TokenType =
  | 'command'
  | 'speaker'
  | 'text'
  | 'argumentName'
  | 'argumentValue'
  | 'number'
  | 'string'
  | 'comment'
  | 'punctuation'
  | 'label'
  | 'scene'
  | 'asset'
  | 'variable'
  | 'expression'
  | 'interpolation'
  | 'markup';

/** A range with one highlighting type. 0-based columns, the end exclusive. */
export interface Token {
  start: number;
  end: number;
  type: TokenType;
}

/** Longer lines are highlighted as plain text, so that the editor stays responsive. */
const MAX_LINE_LENGTH = 20_000;

/** Tokens of one line, sorted, without overlaps; ranges without a token are blank. Never throws. */
export function tokenizeLine(line: string): Token[] {
  if (line.length > MAX_LINE_LENGTH) return [{ start: 0, end: line.length, type: 'text' }];
  const statement = new Statement(line, 0, 0);
  const tokens = new Tokens(line);
  const { command, colon, end } = statement;
  if (command === null) {
    tokens.add(0, line.length, 'comment');
    return tokens.list;
  }
  if (command === SAY) {
    if (colon > 0) {
      if (statement.word === 'say') tokens.add(0, colon, 'command');
      else tokens.addText(0, colon, 'speaker', statement.mask);
    }
  } else {
    tokens.add(0, colon < 0 ? end : colon, 'command');
  }
  if (colon >= 0) tokens.add(colon, colon + 1, 'punctuation');
  if (command === SAY || colon >= 0) addContent(tokens, statement);
  for (const argument of statement.arguments) {
    // Blanks are allowed between the hyphen and the name.
    const hyphen = line.lastIndexOf('-', argument.nameStart - 1);
    if (hyphen >= 0) tokens.add(hyphen, hyphen + 1, 'punctuation');
    if (argument.isVoice) {
      tokens.add(argument.nameStart, argument.nameEnd, 'asset');
      continue;
    }
    tokens.add(argument.nameStart, argument.nameEnd, 'argumentName');
    if (argument.raw === null) continue;
    const equals = line.indexOf('=', argument.nameEnd);
    if (equals >= 0) tokens.add(equals, equals + 1, 'punctuation');
    const spec = command.arguments.get(argument.name);
    if (argument.name === 'when') tokens.addExpression(argument.valueStart, argument.valueEnd);
    else if (typeof argument.value === 'number' && argument.raw !== '')
      tokens.add(argument.valueStart, argument.valueEnd, 'number');
    else if (spec?.type === 'asset') tokens.addText(argument.valueStart, argument.valueEnd, 'asset', statement.mask);
    else if (spec?.type === 'transform' || spec?.type === 'json')
      tokens.addJson(argument.valueStart, argument.valueEnd);
    else tokens.addText(argument.valueStart, argument.valueEnd, 'argumentValue', statement.mask);
  }
  if (end < line.length) {
    tokens.add(end, end + 1, 'punctuation');
    tokens.add(end + 1, line.length, 'comment');
  }
  return tokens.list;
}

function addContent(tokens: Tokens, statement: Statement): void {
  const { text, mask, command } = statement;
  const start = statement.contentStart;
  const end = statement.contentEnd;
  if (start >= end || command === null) return;
  switch (command.content.kind) {
    case 'text':
      tokens.addDialogue(start, end, mask);
      return;
    case 'rows':
      tokens.addRows(start, end, mask);
      return;
    case 'label':
    case 'jump':
      tokens.addText(start, end, 'label', mask);
      return;
    case 'scene':
      tokens.addText(start, end, 'scene', mask);
      return;
    case 'asset':
      tokens.addText(start, end, text.slice(start, end) === 'none' ? 'argumentValue' : 'asset', mask);
      return;
    case 'variable':
      tokens.add(start, end, 'variable');
      return;
    case 'assignment': {
      const equals = text.indexOf('=', start);
      if (equals < 0 || equals >= end) {
        tokens.add(start, end, 'variable');
        return;
      }
      tokens.add(start, equals, 'variable');
      tokens.add(equals, equals + 1, 'punctuation');
      tokens.addExpression(equals + 1, end);
      return;
    }
    case 'choices':
      for (const choice of scanChoices(text, start, end)) {
        for (const condition of [choice.show, choice.enable].sort((a, b) => (a?.start ?? 0) - (b?.start ?? 0))) {
          if (!condition) continue;
          tokens.add(condition.start - 1, condition.start, 'punctuation');
          tokens.addExpression(condition.start, condition.end);
          tokens.add(condition.end, condition.end + 1, 'punctuation');
        }
        if (choice.show || choice.enable) tokens.add(choice.labelStart - 2, choice.labelStart, 'punctuation');
        tokens.addText(choice.labelStart, choice.labelEnd, 'string', mask);
        if (choice.targetStart < choice.end) {
          tokens.add(choice.targetStart - 1, choice.targetStart, 'punctuation');
          tokens.addText(choice.targetStart, choice.targetEnd, choice.isScene ? 'scene' : 'label', mask);
        }
        if (choice.end < end) tokens.add(choice.end, choice.end + 1, 'punctuation');
      }
      return;
    case 'milliseconds':
      tokens.add(start, end, Number.isNaN(Number(text.slice(start, end))) ? 'argumentValue' : 'number');
      return;
    case 'transform':
    case 'frames':
      tokens.addJson(start, end);
      return;
    default:
      tokens.addText(start, end, 'argumentValue', mask);
  }
}

const JSON_PART = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*|[{}[\],:]|[A-Za-z_]\w*/g;
const EXPRESSION_PART = /"[^"]*"?|'[^']*'?|\d[\d.]*|[A-Za-z_$\u0080-\uffff][\w$.\u0080-\uffff]*|[^\s\w]/g;

class Tokens {
  readonly list: Token[] = [];
  readonly #line: string;
  #from = 0;

  constructor(line: string) {
    this.#line = line;
  }

  /** Appends a token, without the part that earlier tokens cover. */
  add(start: number, end: number, type: TokenType): void {
    const from = Math.max(start, this.#from);
    if (from >= end) return;
    this.list.push({ start: from, end, type });
    this.#from = end;
  }

  /** Text in which `{name}` is a variable. */
  addText(start: number, end: number, type: TokenType, mask: number): void {
    let from = start;
    if (mask & HAS.brace) {
      for (let open = this.#line.indexOf('{', from); open >= 0 && open < end; open = this.#line.indexOf('{', from)) {
        const close = this.#line.indexOf('}', open);
        if (close < 0 || close >= end) break;
        if (open > 0 && this.#line[open - 1] === '\\') {
          this.add(from, open + 1, type);
          from = open + 1;
          continue;
        }
        this.add(from, open, type);
        this.add(open, close + 1, 'interpolation');
        from = close + 1;
      }
    }
    this.add(from, end, type);
  }

  addRows(start: number, end: number, mask: number): void {
    let from = start;
    for (let index = start; mask & HAS.pipe && index < end; index += 1) {
      if (this.#line[index] !== '|' || this.#line[index - 1] === '\\') continue;
      this.addText(from, index, 'text', mask);
      this.add(index, index + 1, 'punctuation');
      from = index + 1;
    }
    this.addText(from, end, 'text', mask);
  }

  /** Dialogue: rows, variables and `[text](markup)`. */
  addDialogue(start: number, end: number, mask: number): void {
    let from = start;
    if (mask & HAS.bracket) {
      for (let open = this.#line.indexOf('[', from); open >= 0 && open < end; open = this.#line.indexOf('[', from)) {
        const middle = this.#line.indexOf('](', open);
        const close = middle < 0 ? -1 : this.#line.indexOf(')', middle);
        if (close < 0 || close >= end) break;
        this.addRows(from, open, mask);
        this.add(open, open + 1, 'markup');
        this.addText(open + 1, middle, 'text', mask);
        this.add(middle, close + 1, 'markup');
        from = close + 1;
      }
    }
    this.addRows(from, end, mask);
  }

  addJson(start: number, end: number): void {
    for (const match of this.#line.slice(start, end).matchAll(JSON_PART)) {
      const [part] = match;
      const type = /^["]/.test(part)
        ? 'string'
        : /^[-\d]/.test(part)
          ? 'number'
          : /^\w/.test(part)
            ? 'text'
            : 'punctuation';
      this.add(start + match.index, start + match.index + part.length, type);
    }
  }

  addExpression(start: number, end: number): void {
    for (const match of this.#line.slice(start, end).matchAll(EXPRESSION_PART)) {
      const [part] = match;
      const type = /^["']/.test(part)
        ? 'string'
        : /^\d/.test(part)
          ? 'number'
          : /^(true|false)$/.test(part)
            ? 'argumentValue'
            : /^[\w$\u0080-\uffff]/.test(part)
              ? 'variable'
              : 'expression';
      this.add(start + match.index, start + match.index + part.length, type);
    }
  }
}
