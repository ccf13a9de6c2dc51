import { say } from '../../../i18n/diagnostics.ts';
import { coverAllCases } from '../../flow/opposite-conditions.ts';
import { findNearNames } from '../../project-index/near-names.ts';
import { type Choice, scanChoices } from '../../syntax/choices.ts';
import { type LineReport, replaceFix } from '../../syntax/line-report.ts';
import { isPlaceholder } from '../../syntax/placeholders.ts';
import type { Statement } from '../../syntax/scan.ts';
import { checkCondition } from './conditions.ts';
import { referToFile } from './files.ts';

/** Some authors write None for “go on with the next line”, which is what happens without a target. */
const isNoTarget = (target: string): boolean => /^\s*(?:none)?\s*$/i.test(target) || isPlaceholder(target);

/** Checks the options of a menu. */
export function checkChoose(statement: Statement, report: LineReport): void {
  const { text, contentStart: start, contentEnd: end, argsStart } = statement;
  const rest = text.slice(argsStart, statement.end);
  if (rest.startsWith(' ->')) {
    report.add('choose-arrow-space', argsStart, argsStart + 3, { fixes: [replaceFix(argsStart, argsStart + 1, '')] });
    return;
  }
  const choices = scanChoices(text, start, end);
  if (checkTornCondition(text, start, end, report)) return;
  const isTruncated = losesText(statement);
  let unconditional = 0;
  /** Options without a target: one finding for all of them. */
  const open: Choice[] = [];
  let empty: Choice | undefined;
  for (const choice of choices) {
    if (report.isFull) return;
    if (choice.show === null) unconditional += 1;
    if (choice.show) checkCondition({ text: choice.show.text, start: choice.show.start, end: choice.show.end }, report);
    if (choice.enable)
      checkCondition({ text: choice.enable.text, start: choice.enable.start, end: choice.enable.end }, report);
    if (choice.targetStart >= choice.end || isNoTarget(choice.target)) {
      if (choice.label === '' && choices.length > 1) {
        empty ??= choice;
        continue;
      }
      // Its target was cut off, which has a finding of its own.
      if (isTruncated && choice === choices.at(-1)) continue;
      const wide = choice.start + text.slice(choice.start, choice.end).indexOf('：');
      // Only if the text after the full-width colon can be a target.
      if (wide >= choice.start && /^[\w\u3400-\u9fff-]{1,30}(?:\.txt)?\s*$/.test(text.slice(wide + 1, choice.end))) {
        report.add('fullwidth-punctuation', wide, wide + 1, {
          severity: 'error',
          values: {
            mark: '：',
            plain: ':',
            effect: say('notes.optionNowhere'),
          },
          fixes: [replaceFix(wide, wide + 1, ':')],
        });
        continue;
      }
      open.push(choice);
      continue;
    }
    if (choice.droppedStart >= 0) {
      report.add('choose-extra-colon', choice.targetStart - 1, choice.end, {
        values: { target: choice.target, lost: text.slice(choice.droppedStart, choice.end) },
        fixes: extraColonFix(text, choice.targetStart - 1, choice.end),
      });
      continue;
    }
    const blanks = choice.target.length - choice.target.trimStart().length;
    if (blanks > 0) {
      report.add('choose-colon-space', choice.targetStart, choice.targetEnd, {
        values: { target: choice.target },
        fixes: [replaceFix(choice.targetStart, choice.targetStart + blanks, '')],
      });
    }
    const at = choice.targetStart + blanks;
    const name = choice.target.trim();
    if (choice.isScene) referToFile(statement, report, { name, start: at, end: choice.targetEnd, folder: 'scene' });
    else if (!name.includes('{')) report.refer('jump', name, at, choice.targetEnd, { note: 'choose' });
  }
  if (empty !== undefined && !isTruncated) reportEmptyOption({ text, start, end }, empty, report);
  const [first] = open;
  if (first !== undefined) {
    const others = open.length - 1;
    report.add('choose-no-target', first.start, Math.max(first.start + 1, first.end), {
      values: {
        text: first.label,
        more: others === 0 ? '' : say('notes.moreOptions', { total: open.length, others }),
      },
    });
  }
  if (unconditional === 0 && !coverAllCases(choices.map((choice) => choice.show?.text ?? ''))) {
    report.add('choose-may-be-empty', 0, statement.colon);
  }
}

/** Reports an option without words and target; its bar is removed with it. */
function reportEmptyOption(
  { text, start, end }: { text: string; start: number; end: number },
  { from, end: optionEnd, show, enable }: Choice,
  report: LineReport,
): void {
  const isFirst = from === start;
  const cut = { start: isFirst ? from : from - 1, end: isFirst ? optionEnd + 1 : optionEnd };
  report.add('choose-empty-option', cut.start, Math.min(cut.end, end), {
    // A condition may be what its author has begun with.
    ...(show === null &&
      enable === null &&
      text.slice(cut.start, cut.end).trim().length === 1 && {
        fixes: [replaceFix(cut.start, cut.end, '')],
      }),
  });
}

/** True when a blank and a hyphen within the text of an option cut it off. */
function losesText(statement: Statement): boolean {
  const [first] = statement.arguments;
  const known = statement.command?.arguments;
  if (first === undefined || known === undefined || first.isVoice || known.has(first.name)) return false;
  return !statement.command?.misnamed.has(first.name) && findNearNames(first.name, known.keys(), 1).length === 0;
}

/** `||` inside brackets before an arrow: the engine splits options at bars before it parses conditions. */
function checkTornCondition(text: string, start: number, end: number, report: LineReport): boolean {
  let found = false;
  let depth = 0;
  for (let index = start; index < end && !report.isFull; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 40 || code === 91) depth += 1;
    else if (code === 41 || code === 93) depth = Math.max(0, depth - 1);
    else if (code === 124 && text.charCodeAt(index + 1) === 124 && depth > 0) {
      // Only a condition has a closing bracket after it; bars between options do not stand inside brackets.
      if (!found && text.slice(index, Math.min(end, index + 500)).search(/[)\]]/) < 0) return false;
      report.add('choose-or', index, index + 2);
      found = true;
      index += 1;
    }
  }
  return found;
}

/** All colons but the last are escaped, as part of the text. */
function extraColonFix(text: string, from: number, end: number) {
  const edits = [];
  const last = text.lastIndexOf(':', end - 1);
  for (let colon = text.indexOf(':', from); colon >= 0 && colon < last; colon = text.indexOf(':', colon + 1)) {
    if (text[colon - 1] !== '\\') edits.push({ start: colon, end: colon, text: '\\' });
  }
  return edits.length === 0 ? [] : [{ title: say('fixes.escapeColon'), edits }];
}
