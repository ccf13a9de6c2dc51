import { describe, expect, test, vi } from 'vitest';
import { requireOpen, requireWritable } from './writable-path.ts';

/** A disk that has the folders; a link maps to its target, and `null` leads out of the project. */
function createDisk(folders: readonly string[], links: Readonly<Record<string, string | null>> = {}) {
  const locate = vi.fn(async (path: string): Promise<string | null> => {
    for (const [link, target] of Object.entries(links)) {
      if (path !== link && !path.startsWith(`${link}/`)) continue;
      const real = target === null ? null : `${target}${path.slice(link.length)}`;
      if (target === null && path === link) throw new Error('leads out');
      return real !== null && folders.includes(real) ? real : null;
    }
    return path === '.' || folders.includes(path) ? path : null;
  });
  return { locate };
}

describe('the folder in which a new file would be created', () => {
  const folders = ['a', 'a/b', 'a/b/c', '.vscode', '.vscode/d'];

  test.each(['link/new.json', 'link/d/new.json', 'link/x/y/z/new.json', 'link/d/x/y/new.json'])(
    'refuses %s, which a link leads to a forbidden name',
    async (path) => {
      await expect(requireWritable(path, createDisk(folders, { link: '.vscode' }))).rejects.toThrow(
        'cannot be written',
      );
      await expect(requireOpen(path, ['.vscode'], createDisk(folders, { link: '.vscode' }))).rejects.toThrow();
    },
  );

  test.each(['a/out/x', 'a/out/x/y', 'a/out/x/y/z/1/2/3'])('refuses %s, which leads out', async (path) => {
    await expect(requireWritable(path, createDisk(folders, { 'a/out': null }))).rejects.toThrow('leads out');
  });

  test.each(['x', 'a/x', 'a/b/x/y', 'a/b/c/x/y/z', 'a/b/c'])('allows %s', async (path) => {
    await expect(requireWritable(path, createDisk(folders))).resolves.toBeUndefined();
  });

  test('refuses a new file whose name no disk takes, and not one that is there', async () => {
    const path = `a/${'雨'.repeat(90)}.txt`;
    await expect(requireWritable(path, createDisk(folders))).rejects.toMatchObject({ reason: 'file.nameTooLong' });
    await expect(requireWritable(path, createDisk([...folders, path]))).resolves.toBeUndefined();
    await expect(requireWritable(`a/${'雨'.repeat(80)}.txt`, createDisk(folders))).resolves.toBeUndefined();
  });

  test('looks up few of the folders of a deep path', async () => {
    const disk = createDisk(folders);
    await requireWritable(`a/b/${'x/'.repeat(2000)}y`, disk);
    expect(disk.locate.mock.calls.length).toBeLessThan(20);
  });
});
