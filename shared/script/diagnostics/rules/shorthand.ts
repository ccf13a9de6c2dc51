import { type LineReport, replaceFix } from '../../syntax/line-report.ts';
import type { Statement } from '../../syntax/scan.ts';

/** The engine calculates with Latin names only. */
export const CALCULABLE_NAME = /^[A-Za-z_$][\w$]*$/;

/** Reports `hp -= 1`: the engine takes the rest for an argument. */
export function checkSpacedShorthand(
  { text, contentStart, contentEnd, end }: Statement,
  name: string,
  report: LineReport,
): boolean {
  const value = /^\s+-=\s*([\w.$]+)\s*$/.exec(text.slice(contentEnd, end))?.[1];
  if (value === undefined || name === '') return false;
  report.add('setvar-shorthand', contentStart, end, {
    values: { operator: '-=', name, sign: '-' },
    ...(CALCULABLE_NAME.test(name) && { fixes: [replaceFix(contentStart, end, `${name}=${name}-${value}`)] }),
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
  const operand = /^[\w.$]+$/.test(value) ? value : `(${value})`;
  const isCalculable =
    CALCULABLE_NAME.test(name) && /^[\w.$+\-*/() ]+$/.test(value) && value !== 'true' && value !== 'false';
  report.add('setvar-shorthand', contentStart, equals + 1, {
    values: { operator: `${sign}=`, name, sign },
    ...(isCalculable && { fixes: [replaceFix(contentStart, contentEnd, `${name}=${name}${sign}${operand}`)] }),
  });
}
