const MEGABYTE = 1e6;
/** Maximum bytes of a compressed installer of any system. */
const INSTALLER_BUDGET = 175 * MEGABYTE;
/**
 * Maximum bytes of each part: 5 to 15 % above the measured size, so that growth is a decision. Measured on Linux with
 * Electron 33, which has 236 MB; its budget allows for newer versions and for macOS, where it is larger.
 */
const BUDGETS: Record<string, number> = {
  Electron: 320 * MEGABYTE,
  main: 8.5 * MEGABYTE,
  preload: 0.05 * MEGABYTE,
  renderer: 7.9 * MEGABYTE,
  engine: 45 * MEGABYTE,
  'sample-game': 3.2 * MEGABYTE,
  libraries: 10 * MEGABYTE,
  'native libraries': 5 * MEGABYTE,
  licences: 0.5 * MEGABYTE,
  other: 0.05 * MEGABYTE,
};

export interface SizeRow {
  name: string;
  bytes: number;
  budget: number;
}

/** Returns rows for the parts of one program. A part without a budget has a budget of 0, so that it is reported. */
export function toPartRows(sizes: ReadonlyMap<string, number>): SizeRow[] {
  return [...sizes]
    .map(([name, bytes]) => ({ name, bytes, budget: BUDGETS[name] ?? 0 }))
    .sort((a, b) => b.bytes - a.bytes);
}

export function toInstallerRows(sizes: ReadonlyMap<string, number>): SizeRow[] {
  return [...sizes].map(([name, bytes]) => ({ name, bytes, budget: INSTALLER_BUDGET }));
}

/** Returns rows that exceed their budget. */
export function findOverBudget(rows: readonly SizeRow[]): SizeRow[] {
  return rows.filter(({ bytes, budget }) => bytes > budget);
}

/** Formats a table in megabytes (1,000,000 bytes), with a mark on each row over its budget. */
export function formatSizeTable(title: string, rows: readonly SizeRow[]): string[] {
  const width = Math.max(title.length, ...rows.map(({ name }) => name.length));
  const line = (name: string, size: string, budget: string) =>
    `  ${name.padEnd(width)}  ${size.padStart(8)}  ${budget.padStart(8)}`;
  const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    line(title, 'MB', 'budget'),
    ...rows.map(({ name, bytes, budget }) => {
      const text = line(name, toMegabytes(bytes), toMegabytes(budget));
      return bytes > budget ? `${text}  over budget` : text;
    }),
    line('total', toMegabytes(total), ''),
  ];
}

function toMegabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(2);
}
