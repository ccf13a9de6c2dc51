import type { LocalText } from '../../model/text.ts';
import { type Finding, type Reference, replaceFix } from '../diagnostics/line-report.ts';
import type { ProjectIndex } from '../index/project-facts.ts';
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
  const near = index.near('variable', name)[0];
  if (role === 'comparison') {
    findings.push({
      code: 'condition-bare-word',
      ...span(reference),
      values: { word: name },
      fixes: [replaceFix(reference.start, reference.end, `"${name}"`)],
    });
  } else if (role === 'condition') {
    findings.push({
      code: 'unset-variable',
      ...span(reference),
      values: { name, near: didYouMean(near) },
      ...(near !== undefined && { fixes: [replaceFix(reference.start, reference.end, near)] }),
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

/** The effect of `{name}` for an unset variable. */
function effectOfBraces(name: string, note: string): LocalText {
  const braces = `{${name}}`;
  if (note === 'file')
    return {
      'zh-CN': `引擎会去找名字里带着 ${braces} 这几个字符的文件，找不到。`,
      en: `the engine looks for a file with the characters ${braces} in its name and does not find it.`,
    };
  if (note === 'label')
    return {
      'zh-CN': `引擎会去找名字里带着 ${braces} 这几个字符的标签，找不到就接着往下走。`,
      en: `the engine looks for a label with the characters ${braces} in its name, and without one goes on with the next line.`,
    };
  return { 'zh-CN': `玩家会看到 ${braces} 这几个字符。`, en: `the player sees the characters ${braces}.` };
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
            values: { name, effect: { 'zh-CN': '变量会变成空。', en: 'the variable becomes empty.' } },
          }
        : {
            code: 'setvar-text',
            ...span(reference),
            values: {
              what: { 'zh-CN': '算式', en: 'a sum' },
              name: target,
              value: text,
              result: { 'zh-CN': '空', en: 'empty' },
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
        what: { 'zh-CN': '算式', en: 'a sum' },
        name: target,
        value: text,
        result: /[-*/]/.test(text)
          ? { 'zh-CN': '“不是数”（NaN）', en: '“not a number” (NaN)' }
          : { 'zh-CN': '连在一起的文字', en: 'text run together' },
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

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
