import { type DiagnosticMessage, say } from '../../i18n/diagnostics.ts';
import { escapePattern } from '../../text/escape-pattern.ts';
import { isEngineAtLeast } from '../engine/engine-version.ts';
import { editDistance } from '../project-index/near-names.ts';
import type { ProjectIndex } from '../project-index/project-facts.ts';
import { type Finding, type Reference, replaceFix } from '../syntax/line-report.ts';
import { Statement } from '../syntax/scan.ts';
import { didYouMean, span } from './resolver.ts';

/** Checks that the variable of a reference is set somewhere, and can be calculated with. */
export function resolveVariable(reference: Reference, index: ProjectIndex, findings: Finding[], line: string): void {
  const { name, role } = reference;
  if (reference.note === 'known' || name.startsWith('$')) return;
  const isKnown = index.hasVariable(name) || (name.includes('.') && index.hasVariable(name.split('.')[0] ?? ''));
  if (role === 'calculation') {
    resolveCalculation(reference, { isKnown, line }, index, findings);
    return;
  }
  if (isKnown) return;
  const near = index.near('variable', name).find((other) => isLikely(name, other));
  if (role === 'comparison') pushBareWord(reference, index, findings);
  else if (role === 'condition') {
    findings.push({
      code: 'unset-variable',
      ...span(reference),
      values: { name, near: didYouMean(near) },
      ...(near !== undefined && { fixes: [replaceFix(reference.start, reference.end, near)] }),
    });
  } else if (reference.note === 'input') {
    findings.push({
      code: 'unknown-interpolation',
      ...span(reference),
      severity: 'warning',
      values: { name, effect: effectOfBraces(name, 'input'), near: '' },
      fixes: [replaceFix(reference.start, reference.end, name)],
    });
  } else {
    findings.push({
      code: 'unknown-interpolation',
      ...span(reference),
      ...(near !== undefined && { severity: 'warning' as const }),
      values: { name, effect: effectOfBraces(name, reference.note), near: didYouMean(near) },
      ...(near !== undefined && { fixes: [replaceFix(reference.start, reference.end, `{${near}}`)] }),
    });
  }
}

/** Reports `{ name }` for the name of a variable. Braces with blanks around other words may be meant as they stand. */
export function resolveSpacedName(reference: Reference, index: ProjectIndex, findings: Finding[], line: string): void {
  const { name, start, end } = reference;
  if (!index.hasVariable(name)) return;
  const written = line.slice(start + 1, end - 1);
  const isInput = reference.note === 'input';
  findings.push({
    code: 'unknown-interpolation',
    ...span(reference),
    severity: 'warning',
    values: {
      name: `{${written}}`,
      effect: effectOfBraces(written, reference.note),
      near: isInput ? '' : say('notes.withoutBlanks'),
    },
    fixes: [replaceFix(start, end, isInput ? name : `{${name}}`)],
  });
}

/** Checks a text that a condition compares with. */
export function resolveComparedText(reference: Reference, index: ProjectIndex, findings: Finding[]): void {
  if (reference.note === 'bare') pushBareWord(reference, index, findings);
  else if (!comparesTexts(index)) {
    findings.push({ code: 'condition-text-version', ...span(reference), values: { version: index.engineVersion } });
  }
}

/** Before 4.5.18, published builds put the value of a variable into the condition without quotes. */
const comparesTexts = (index: ProjectIndex): boolean => isEngineAtLeast(index.engineVersion, '4.5.18');

function pushBareWord(reference: Reference, index: ProjectIndex, findings: Finding[]): void {
  if (comparesTexts(index)) {
    findings.push({
      code: 'condition-bare-word',
      ...span(reference),
      values: { word: reference.name },
      fixes: [replaceFix(reference.start, reference.end, `"${reference.name}"`)],
    });
    return;
  }
  // In most of those engines it holds always, which a story may be built on.
  const values = { version: index.engineVersion };
  findings.push({ code: 'condition-text-version', ...span(reference), severity: 'info', values });
}

/** The effect of `{name}` for an unset variable. */
function effectOfBraces(name: string, note: string): DiagnosticMessage {
  const braces = `{${name}}`;
  if (note === 'file') return say('notes.bracesFile', { braces });
  if (note === 'label') return say('notes.bracesLabel', { braces });
  if (note === 'input') return say('notes.bracesInput', { braces });
  return say('notes.bracesShown', { braces });
}

function resolveCalculation(
  reference: Reference,
  { isKnown, line }: { isKnown: boolean; line: string },
  index: ProjectIndex,
  findings: Finding[],
): void {
  const { name } = reference;
  const isWide = reference.note === 'wide';
  if (isKnown && !isWide && !index.inputs.has(name)) return;
  // One text is one mistake, however many names it contains.
  if (!isKnown && findings.some(({ code }) => code === 'setvar-text')) return;
  const { content } = new Statement(line, 0, 0);
  const equals = content.indexOf('=');
  const target = content.slice(0, equals).trim();
  const text = content.slice(equals + 1).trim();
  if (isWide) {
    findings.push(
      isKnown
        ? {
            code: 'non-ascii-expression',
            ...span(reference),
            values: { name, effect: say('notes.becomesEmpty') },
          }
        : {
            code: 'setvar-text',
            ...span(reference),
            values: {
              what: say('notes.sum'),
              name: target,
              value: text,
              result: say('notes.empty'),
            },
          },
    );
    return;
  }
  if (!isKnown) {
    findings.push({
      code: 'setvar-text',
      ...span(reference),
      values: {
        what: say('notes.sum'),
        name: target,
        value: text,
        result: /[-*/]/.test(text) ? say('notes.nan') : say('notes.joinedText'),
      },
    });
    return;
  }
  if (
    index.inputs.has(name) &&
    new RegExp(`(?:^|[^*/\\-])\\s*${escapePattern(name)}\\s*\\+|\\+\\s*${escapePattern(name)}\\s*(?:$|\\+)`).test(text)
  ) {
    findings.push({
      code: 'input-number',
      ...span(reference),
      values: { name },
      fixes: [replaceFix(reference.start, reference.end, `${name}*1`)],
    });
  }
}

/** Short words that differ in two letters, such as engine and ending, are usually not the same word. */
function isLikely(name: string, other: string): boolean {
  return name.length >= 8 || editDistance(name.toLowerCase(), other.toLowerCase(), 2) < 2;
}
