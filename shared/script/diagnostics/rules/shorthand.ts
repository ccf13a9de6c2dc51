import { type LineReport, replaceFix } from '../../syntax/line-report.ts';
import type { Statement } from '../../syntax/scan.ts';

/** The engine calculates with Latin names only. */
export const CALCULABLE_NAME = /^[A-Za-z_$][\w$]*$/;

const OPERAND = String.raw`(?:\d+(?:\.\d+)?|[A-Za-z_$][\w$]*)`;
/** What the fixes can keep as it stands: numbers and names with signs between them. */
const SUM = new RegExp(String.raw`^${OPERAND}(?:\s*[+\-*/]\s*${OPERAND})*$`);

/** Reports `hp -= 1`: the engine takes the rest for an argument. */
export function checkSpacedShorthand(
  { text, contentStart, contentEnd, end }: Statement,
  name: string,
  report: LineReport,
): boolean {
  const [, value, flags = ''] =
    /^\s+-=\s*(\S.*?)((?:\s+-[A-Za-z]+(?:=\S*)?)*)\s*$/.exec(text.slice(contentEnd, end)) ?? [];
  if (value === undefined || name === '') return false;
  report.add('setvar-shorthand', contentStart, end, {
    values: { operator: '-=', name, sign: '-' },
    ...(isCalculable(name, value) && {
      fixes: [replaceFix(contentStart, end, `${name}=${name}-${toOperand(value)}${flags}`)],
    }),
  });
  return true;
}

/** Reports `hp+=1`: the engine takes `hp+` for the variable's name. */
export function checkShorthand(
  { text, contentStart, contentEnd }: Statement,
  { name, sign, equals }: { name: string; sign: string; equals: number },
  report: LineReport,
): void {
  const value = text.slice(equals + 1, contentEnd).trim();
  report.add('setvar-shorthand', contentStart, equals + 1, {
    values: { operator: `${sign}=`, name, sign },
    ...(isCalculable(name, value) && {
      fixes: [replaceFix(contentStart, contentEnd, `${name}=${name}${sign}${toOperand(value)}`)],
    }),
  });
}

const isCalculable = (name: string, value: string): boolean =>
  CALCULABLE_NAME.test(name) && SUM.test(value) && value !== 'true' && value !== 'false';

const toOperand = (value: string): string => (/^[\w.$]+$/.test(value) ? value : `(${value})`);
