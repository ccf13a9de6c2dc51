import { join } from 'node:path';
import { copySample } from '../../scripts/copy-sample.ts';
import { STORY_LINE } from '../support/games/story-script.ts';
import { handToDesktopUser } from '../support/window/desktop.ts';
import { canMount, mountSmallDisk, type SmallDisk } from './small-disk.ts';
import { askForProposal, test as base, chatOf, connectModel, expect, readScene, reviewOf } from './user-actions.ts';

/** The game on a disk of its own. */
const test = base.extend<{ disk: SmallDisk }>({
  disk: async ({ app }, use, testInfo) => {
    testInfo.skip(!canMount(), 'Only root may mount the small disk of these tests.');
    const disk = mountSmallDisk(join(app.projectDir, '..', 'small-disk'));
    try {
      app.projectDir = join(disk.folder, 'my-game');
      await copySample(app.projectDir);
      handToDesktopUser(disk.folder);
      await app.restart(['--project', app.projectDir]);
      await use(disk);
      disk.setReadOnly(false);
    } finally {
      disk.remove();
    }
  },
});

test.use({ foldsStage: true, opensProject: false });
test.setTimeout(120_000);

const DISKS = [
  {
    name: 'a full disk',
    stop: (disk: SmallDisk) => disk.fill(),
    go: (disk: SmallDisk) => disk.free(),
    sentence: 'There is no space left on the disk.',
  },
  {
    name: 'a read-only folder',
    stop: (disk: SmallDisk) => disk.setReadOnly(true),
    go: (disk: SmallDisk) => disk.setReadOnly(false),
    sentence: 'this account has no permission for it',
  },
];

for (const { name, stop, go, sentence } of DISKS) {
  test(`${name} loses no proposal and no typed word`, async ({ app, disk, service }) => {
    const { page, projectDir } = app;
    await test.step('typed words stay in the editor, and are saved later', async () => {
      const code = page.getByTestId('code');
      await code.getByText('小满').first().click();
      stop(disk);
      await page.keyboard.press('Control+End');
      await page.keyboard.type('; mine');
      await expect(page.getByText(sentence).filter({ visible: true }).first()).toBeVisible();
      expect(await readScene(projectDir)).not.toContain('; mine');
      await expect(code.getByText('; mine').first()).toBeVisible();
      go(disk);
      await page.keyboard.type('!');
      await expect.poll(() => readScene(projectDir)).toContain('; mine!');
    });
    const before = await readScene(projectDir);
    await connectModel(page, service.url);
    await page.keyboard.press('Control+1');
    await askForProposal(page);
    const accept = reviewOf(page).getByRole('button', { name: 'Accept all' });
    await expect(accept).toBeEnabled();

    await test.step('the proposal stays', async () => {
      stop(disk);
      await accept.click();
      await expect(page.getByText(sentence).first()).toBeVisible();
      expect(await readScene(projectDir)).toBe(before);
      await expect(accept).toBeEnabled();
    });

    await test.step('and is written once there is space', async () => {
      go(disk);
      await accept.click();
      await expect.poll(() => readScene(projectDir)).toContain(STORY_LINE);
      await expect(chatOf(page).getByText('Accepted', { exact: false }).first()).toBeVisible();
    });

    expect(app.pageErrors).toEqual([]);
  });
}
