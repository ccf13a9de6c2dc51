import type { SourceTree } from './source-tree.ts';

export interface Finding {
  file: string;
  line: number;
  /** Key of the entry in the allow list: a file, a function, a folder. */
  key: string;
  /** Amount that counts towards the entry: 1 for each occurrence, or the number of lines or files. */
  amount: number;
  message: string;
}

export interface Check {
  /** Name of the check and of its allow list, `allowed/<name>.json`. */
  name: string;
  /** How to fix a finding. */
  advice: string;
  /**
   * How entries compare. `count`: findings must be exactly as many as allowed, so that a list shrinks with the code.
   * `size`: findings may be smaller than allowed; every entry has a reason.
   */
  kind: 'count' | 'size';
  /** For sizes: a larger amount fails, whatever the entry says. */
  max?: number;
  find(tree: SourceTree): Finding[] | Promise<Finding[]>;
}

export interface SizeEntry {
  amount: number;
  reason: string;
}
export type AllowList = Record<string, number | SizeEntry>;

export interface Verdict {
  /** One line each: location and problem. Empty if the check passes. */
  problems: string[];
  /** The list without entries that no longer occur; never larger than the given list. */
  reduced: AllowList;
}

/** Creates a check's list from its findings, for the first time or after a merge. Keeps existing reasons. */
export function toAllowList(check: Check, findings: Finding[], previous: AllowList): AllowList {
  const list: AllowList = {};
  for (const [key, amount] of toTotals(findings)) {
    const entry = previous[key];
    const reason = typeof entry === 'object' ? entry.reason : UNREVIEWED;
    list[key] = check.kind === 'count' ? amount : { amount, reason };
  }
  return sortKeys(list);
}

/** Placeholder until a reason is written or the code is split. */
export const UNREVIEWED = 'Not reviewed yet: shorten it, or say here why it is one piece.';

export function judge(check: Check, findings: Finding[], allowed: AllowList): Verdict {
  const totals = toTotals(findings);
  const problems: string[] = [];
  const reduced: AllowList = {};
  for (const [key, amount] of totals) {
    const limit = Math.min(toAmount(allowed[key]), check.max ?? Number.POSITIVE_INFINITY);
    if (amount <= limit) continue;
    for (const finding of findings.filter((candidate) => candidate.key === key))
      problems.push(`${finding.file}:${finding.line}  ${finding.message}`);
    if (limit > 0 && check.kind === 'count') problems.push(`${key}:1  ${amount} of these where ${limit} are allowed`);
  }
  for (const [key, entry] of Object.entries(allowed)) {
    const amount = totals.get(key) ?? 0;
    const place = `scripts/checks/allowed/${check.name}.json:1`;
    if (amount > 0) reduced[key] = toSmaller(entry, amount);
    if (amount === 0) problems.push(`${place}  "${key}" no longer occurs; run npm run check:update`);
    else if (check.kind === 'count' && amount < toAmount(entry))
      problems.push(`${place}  "${key}" allows ${toAmount(entry)}, found ${amount}; run npm run check:update`);
    if (typeof entry === 'object' && entry.reason.trim().length < 10) problems.push(`${place}  "${key}" has no reason`);
  }
  return { problems, reduced: sortKeys(reduced) };
}

function toTotals(findings: Finding[]): Map<string, number> {
  const totals = new Map<string, number>();
  for (const { key, amount } of findings) totals.set(key, (totals.get(key) ?? 0) + amount);
  return totals;
}

function toAmount(entry: AllowList[string] | undefined): number {
  if (entry === undefined) return 0;
  return typeof entry === 'number' ? entry : entry.amount;
}

function toSmaller(entry: AllowList[string], amount: number): AllowList[string] {
  if (typeof entry === 'number') return Math.min(entry, amount);
  return { ...entry, amount: Math.min(entry.amount, amount) };
}

function sortKeys(list: AllowList): AllowList {
  return Object.fromEntries(Object.entries(list).sort(([a], [b]) => (a < b ? -1 : 1)));
}
