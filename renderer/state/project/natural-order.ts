// Language data: Chinese numerals.
const DIGITS: Record<string, number> = {
  ...{ 〇: 0, 零: 0, 一: 1, 二: 2, 两: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9 },
  ...{ 壹: 1, 贰: 2, 叁: 3, 肆: 4, 伍: 5, 陆: 6, 柒: 7, 捌: 8, 玖: 9 },
};
// Language data: Chinese numerals.
const UNITS: Record<string, number> = { 十: 10, 拾: 10, 百: 100, 佰: 100, 千: 1000, 仟: 1000 };
const NUMERAL = new RegExp(`[${Object.keys(DIGITS).join('')}${Object.keys(UNITS).join('')}]+`, 'g');

/** Converts Chinese numerals and full-width digits of a name to ASCII digits, for a numeric collator. */
export function toNaturalKey(name: string): string {
  return name.normalize('NFKC').replace(NUMERAL, (numeral) => String(toNumber(numeral)));
}

/** Parses a Chinese numeral: `二十三` and `二三` are 23, `十` is 10, `一百零二` is 102. */
function toNumber(numeral: string): number {
  if (![...numeral].some((sign) => sign in UNITS)) return Number([...numeral].map((sign) => DIGITS[sign]).join(''));
  let total = 0;
  let digit = 0;
  for (const sign of numeral) {
    const unit = UNITS[sign];
    if (unit === undefined) digit = DIGITS[sign] ?? 0;
    else {
      total += (digit || 1) * unit;
      digit = 0;
    }
  }
  return total + digit;
}
