import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replaceAppImage } from './replace-app-image.ts';

const NEW = Buffer.alloc(300_000, 'new');
const sha512 = createHash('sha512').update(NEW).digest('base64');
let folder: string;
let target: string;
let source: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'replace-app-image-'));
  [target, source] = [join(folder, 'app.AppImage'), join(folder, 'download')];
  await writeFile(target, 'old', { mode: 0o755 });
  await writeFile(source, NEW, { mode: 0o600 });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('replaceAppImage', () => {
  it('replaces the app with the download, keeps it executable and deletes the download', async () => {
    await replaceAppImage({ target, source, sha512 });
    expect((await readFile(target)).equals(NEW)).toBe(true);
    expect((await stat(target)).mode & 0o777).toBe(0o755);
    expect(await readdir(folder)).toEqual(['app.AppImage']);
  });

  it('follows a symbolic link to the app and keeps the link', async () => {
    const link = join(folder, 'link');
    await symlink(target, link);
    await replaceAppImage({ target: link, source, sha512 });
    expect((await readFile(target)).equals(NEW)).toBe(true);
    expect(await readdir(folder)).toEqual(['app.AppImage', 'link']);
  });

  it.each([
    ['a download that was changed since it was verified', () => writeFile(source, 'evil'), 'ERR_CHECKSUM_MISMATCH'],
    ['a deleted download', () => rm(source), 'ENOENT'],
  ])('leaves the app unchanged and removes the temporary file after %s', async (_name, damage, code) => {
    await damage();
    await expect(replaceAppImage({ target, source, sha512 })).rejects.toMatchObject({ code });
    expect(await readFile(target, 'utf8')).toBe('old');
    expect((await readdir(folder)).filter((name) => name.endsWith('.new'))).toEqual([]);
  });
});
