import { AppError } from '../../../shared/errors.ts';
import type { GitVersion, GitVersions } from '../../../shared/model/git/git.ts';
import { ProjectPath } from '../../../shared/paths/project-path.ts';
import type { Opened } from './open-repository.ts';

/** Git looks at every commit for a file with few versions. */
const LOG_TIME_MS = 10_000;
const MAX_TEXT_BYTES = 2 * 1024 * 1024;
const MAX_TIME_MS = 8.64e15;
/** Names and titles of any length are shortened by Git already. */
const FORMAT = '--format=%x00%H%x00%ct%x00%<(100,trunc)%an%x00%<(200,trunc)%s';
/** `-c`: merges that changed the file themselves. Finding an earlier name reads settings only, not these options (`git-runner.ts`). */
const LOG = [
  ...['-z', '--raw', '-c', '--no-abbrev', '--no-relative', '--ignore-submodules=all'],
  ...['--no-show-signature', '--no-color', '--no-ext-diff', '--no-textconv', '--no-mailmap', '--no-notes', FORMAT],
];
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** What Git LFS stores in place of a file. */
const POINTER = 'version https://git-lfs.github.com/spec/';
const CHANGES: Readonly<Record<string, GitVersion['change']>> = { A: 'added', D: 'removed', R: 'renamed', C: 'added' };

interface VersionsPart {
  file: string;
  /** Where the game lies in its repository, with a slash at its end, or blank. */
  prefix: string;
  skip: number;
  limit: number;
}

/**
 * Returns commits that changed a file, newest first, also under its earlier names. Where Git cannot follow names (it lacks objects), only
 * those with the present name; where it takes too long, those that it found until then.
 */
export async function readVersions(
  git: Opened['git'],
  { file, prefix, skip, limit }: VersionsPart,
): Promise<GitVersions> {
  const last = skip + limit;
  // With `--follow`, `--skip` would count other commits, too.
  const args = ['--literal-pathspecs', 'log', `-n${last + 1}`, ...LOG];
  let { output, isCut, isFailed } = await collectLog(git, [...args, '--follow', '--', file]);
  if (isFailed) ({ output, isCut } = await collectLog(git, [...args, '--', file]));
  const all = parseVersions(output, prefix);
  return { versions: all.slice(skip, last), isMore: all.length > last, isCut };
}

async function collectLog(
  git: Opened['git'],
  args: readonly string[],
): Promise<{ output: string; isCut: boolean; isFailed: boolean }> {
  const chunks: Buffer[] = [];
  const collect = (chunk: Buffer) => void chunks.push(chunk);
  const toOutput = () => Buffer.concat(chunks).toString('utf8');
  try {
    await git(args, { timeout: LOG_TIME_MS, collect });
    return { output: toOutput(), isCut: false, isFailed: false };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Without a commit there is nothing to list.
    if (error.code === 'E_IO') return { output: '', isCut: false, isFailed: true };
    if (error.code !== 'E_TIMEOUT') throw error;
    // What follows the last NUL may be half a field.
    const output = toOutput();
    return { output: output.slice(0, output.lastIndexOf('\0') + 1), isCut: true, isFailed: false };
  }
}

/**
 * Reads the output of `git log -z --raw`. Ends at a commit in which the file was not in the game, or had a name that the app may not
 * use, was a link or a repository.
 */
export function parseVersions(output: string, prefix: string): GitVersion[] {
  const fields = output.split('\0');
  const versions: GitVersion[] = [];
  for (let at = 0; at < fields.length; at += 1) {
    if (!COMMIT.test(fields[at] ?? '')) continue;
    const [id = '', time, author = '', title = ''] = fields.slice(at, at + 4);
    at += 4;
    while (at < fields.length && fields[at]?.trim() === '') at += 1;
    const raw = fields[at]?.trim() ?? '';
    if (!raw.startsWith(':')) {
      at -= 1;
      continue;
    }
    const status = /[A-Z](?=[A-Z0-9]*$)/.exec(raw.slice(raw.lastIndexOf(' ')))?.[0] ?? 'M';
    if (status === 'R' || status === 'C') at += 1;
    at += 1;
    const name = toName(fields[at], prefix);
    if (name === null || !isFile(raw)) break;
    const change = CHANGES[status] ?? 'changed';
    versions.push({ id, at: toTime(time), author: author.trim(), title: title.trim(), name, change });
  }
  return versions;
}

/** A commit can claim a time that no calendar has. */
function toTime(seconds: string | undefined): number {
  const at = Number(seconds) * 1000;
  return Math.abs(at) <= MAX_TIME_MS ? at : 0;
}

/** The last mode of a line is that of the result; `000000`: removed. */
function isFile(raw: string): boolean {
  const modes = raw.split(' ').filter((field) => /^:*[0-7]{6}$/.test(field));
  return /(100644|100755|000000)$/.test(modes.at(-1) ?? '');
}

function toName(whole: string | undefined, prefix: string): string | null {
  if (!whole?.startsWith(prefix) || whole.includes('\ufffd')) return null;
  const name = whole.slice(prefix.length);
  const path = ProjectPath.safeParse(name);
  return path.success && path.data === name ? name : null;
}

/**
 * Returns a text of a commit and its title; `text` null where the commit has no such file. Throws where that is not certain, because a
 * restore would remove the file, and reads no more than a text may have.
 */
export async function readVersion(
  git: Opened['git'],
  { id, file }: { id: string; file: string },
): Promise<{ text: string | null; title: string }> {
  const found = await git(['log', '-1', '--no-show-signature', '--format=%<(200,trunc)%s', id, '--']).catch(toNothing);
  if (found === '') throw toGone('There is no such commit.');
  const title = found.trim();
  const entry = await git(['--literal-pathspecs', 'ls-tree', '-z', id, '--', file]);
  if (entry === '') return { text: null, title };
  const [, mode, blob] = /^(\d{6}) blob ([0-9a-f]+)\t/.exec(entry) ?? [];
  if (!blob || !mode?.startsWith('100')) throw toGone(`"${file}" is no file in that commit.`);
  if (Number(await git(['cat-file', '-s', blob])) > MAX_TEXT_BYTES) {
    throw new AppError('E_TOO_LARGE', `"${file}" of that commit is too large.`, { reason: 'git.versionTooLarge' });
  }
  if ((await findFiltered(git, [file])) !== null) throw toFiltered();
  const chunks: Buffer[] = [];
  await git(['cat-file', 'blob', blob], { collect: (chunk) => void chunks.push(chunk) });
  const text = decode(Buffer.concat(chunks), file);
  if (text.startsWith(POINTER)) throw toFiltered();
  return { text, title };
}

/** Returns the first of some files that a filter of Git changes: with its filter turned off it must be neither committed nor restored. */
export async function findFiltered(git: Opened['git'], paths: readonly string[]): Promise<string | null> {
  const input = paths.map((one) => `${one}\0`).join('');
  const fields = (await git(['check-attr', '-z', '--stdin', 'filter'], { input })).split('\0');
  for (let at = 0; at + 2 < fields.length; at += 3) {
    if (!['unspecified', 'unset'].includes(fields[at + 2] ?? '')) return fields[at] ?? null;
  }
  return null;
}

function decode(bytes: Buffer, file: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Not UTF-8.
  }
  throw new AppError('E_ENCODING', `"${file}" of that commit is not UTF-8 text.`, { reason: 'git.versionEncoding' });
}

function toGone(message: string): AppError {
  return new AppError('E_NOT_FOUND', message, { reason: 'git.versionGone' });
}

function toFiltered(): AppError {
  return new AppError('E_UNSUPPORTED', 'The file needs a filter of Git.', { reason: 'git.versionFiltered' });
}

/** For commands that fail where there is nothing to read. */
function toNothing(error: unknown): string {
  if (error instanceof AppError && error.code === 'E_IO') return '';
  throw error;
}
