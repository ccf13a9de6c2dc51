/** Returns the first or last moment of a local day (`2026-11-20`) as ISO 8601 in UTC; undefined for an invalid day. */
export function toMoment(day: string, end: 'first' | 'last'): string | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return undefined;
  const moment = end === 'first' ? new Date(year, month - 1, date) : new Date(year, month - 1, date, 23, 59, 59, 999);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}

/** Returns the local day of a moment. */
export function toDay(moment: string | undefined): string {
  if (moment === undefined) return '';
  const date = new Date(moment);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
