import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findUpdateSupport } from './find-update-support.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'update-support-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const find = (platform: string, rest: Partial<Parameters<typeof findUpdateSupport>[0]> = {}) =>
  findUpdateSupport({
    isPackaged: true,
    platform,
    environment: {},
    program: join(folder, 'app'),
    name: 'App',
    ...rest,
  });

it('reports no support when the app was started from source', () => {
  for (const platform of ['linux', 'win32', 'darwin']) expect(find(platform, { isPackaged: false })).toBe('none');
});

it('supports an existing AppImage, and no other Linux package', async () => {
  const file = join(folder, 'app.AppImage');
  expect(find('linux', { environment: { APPIMAGE: file } })).toBe('byHand');
  await writeFile(file, '');
  expect(find('linux', { environment: { APPIMAGE: file } })).toBe('self');
  expect(find('linux', { environment: { APPIMAGE: 'app.AppImage' } })).toBe('byHand');
  expect(find('linux')).toBe('byHand');
});

it.skipIf(process.getuid?.() === 0)(
  'does not replace an AppImage in a folder that cannot be written (skipped for root, who can write)',
  async () => {
    const closed = join(folder, 'closed');
    await mkdir(closed);
    await writeFile(join(closed, 'app.AppImage'), '');
    await chmod(closed, 0o555);
    const support = find('linux', { environment: { APPIMAGE: join(closed, 'app.AppImage') } });
    // The folder is removed after the test.
    await chmod(closed, 0o755);
    expect(support).toBe('byHand');
  },
);

it('supports an installation by the Windows installer, and no portable or copied program', async () => {
  expect(find('win32')).toBe('byHand');
  await writeFile(join(folder, 'Uninstall App.exe'), '');
  expect(find('win32')).toBe('self');
  expect(find('win32', { environment: { PORTABLE_EXECUTABLE_FILE: 'C:\\app.exe' } })).toBe('byHand');
});

it('supports a macOS app unless it runs from its disk image', () => {
  expect(find('darwin', { program: '/Applications/App.app/Contents/MacOS/App' })).toBe('self');
  expect(find('darwin', { program: '/Volumes/App/App.app/Contents/MacOS/App' })).toBe('byHand');
  expect(find('darwin', { program: '/private/var/folders/x/AppTranslocation/1/d/App.app' })).toBe('byHand');
});
