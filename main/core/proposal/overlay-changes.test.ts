import { expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { createOverlayChanges } from './overlay-changes.ts';

it('goes on after a draft had a name that no disk takes', async () => {
  const long = `game/scene/${'雨夜'.repeat(60)}.txt`;
  let faults: Record<string, string> = { [long]: 'file.nameTooLong', 'game/scene/b.txt': 'file.busy' };
  const changes = createOverlayChanges(
    {
      changes: async () => ({ now: 1, changes: [] }),
      async stat(path) {
        const reason = faults[path];
        if (reason !== undefined) throw new AppError('E_IO', 'No.', { reason });
        return null;
      },
    },
    () => null,
  );
  const { now } = (await changes.since(null)) ?? { now: 0 };
  changes.add(long);
  expect((await changes.since(now))?.changes).toEqual([{ path: long, isFile: false }]);
  // Any other fault is still told: the file may be there.
  changes.add('game/scene/b.txt');
  await expect(changes.since(now)).rejects.toMatchObject({ reason: 'file.busy' });
  faults = {};
  expect((await changes.since(now))?.changes).toContainEqual({ path: 'game/scene/b.txt', isFile: false });
});
