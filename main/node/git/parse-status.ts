import type { GitFile } from '../../../shared/model/git/git.ts';
import { ProjectPath } from '../../../shared/paths/project-path.ts';

export interface ParsedStatus {
  branch: string | null;
  hasCommit: boolean;
  hasConflict: boolean;
  files: Omit<GitFile, 'isAccepted'>[];
}

/** Number of fields before the path in a line of each kind. */
const FIELDS: Record<string, number> = { '1': 8, u: 10, '?': 1 };

/**
 * Reads `git status --porcelain=v2 --branch -z --no-renames`. Paths are relative to the top of the repository; those outside
 * `prefix` (the game's folder, with a slash at its end, or empty) and those that the app may not name are left out.
 */
export function parseStatus(output: string, prefix: string): ParsedStatus {
  const parsed: ParsedStatus = { branch: null, hasCommit: true, hasConflict: false, files: [] };
  for (const line of output.split('\0')) {
    const fields = line.split(' ');
    const kind = fields[0] ?? '';
    if (kind === '#') {
      const value = fields.slice(2).join(' ');
      if (fields[1] === 'branch.head' && value !== '(detached)') parsed.branch = value;
      if (fields[1] === 'branch.oid' && value === '(initial)') parsed.hasCommit = false;
      continue;
    }
    const before = FIELDS[kind];
    if (before === undefined) continue;
    if (kind === 'u') parsed.hasConflict = true;
    const whole = fields.slice(before).join(' ');
    // Ends with a slash: a repository inside.
    if (!whole.startsWith(prefix) || whole.endsWith('/')) continue;
    const path = ProjectPath.safeParse(whole.slice(prefix.length));
    if (path.success && path.data === whole.slice(prefix.length)) {
      parsed.files.push({ path: path.data, change: kind === '?' ? 'added' : toChange(fields[1] ?? '') });
    }
  }
  return parsed;
}

/** `codes`: how the index differs from the last commit, and the folder from the index. */
function toChange(codes: string): GitFile['change'] {
  if (codes[1] === 'D' || codes === 'D.') return 'removed';
  return codes[0] === 'A' || codes[1] === 'A' ? 'added' : 'changed';
}
