import { AppError } from '../../../shared/errors.ts';
import { MAX_ASSET_BYTES } from '../../../shared/model/asset/asset.ts';
import { MAX_ADDED_ASSETS } from '../../../shared/model/asset/asset-place.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { api } from '../../api.ts';
import { i18n } from '../../i18n/setup.ts';
import { showView } from '../../state/navigation.ts';
import { attempt, notify } from '../../state/notify.ts';
import { toBase64 } from '../../ui/blob-bytes.ts';
import { describeError } from '../../ui/text/describe-error.ts';
import { toAssetPath } from './to-asset-path.ts';

/**
 * Submits pictures and sounds of the user's computer for review, at places that suit them; `shown`: the kind of the list that they
 * are added to. Tells which files cannot be added, and why.
 */
export async function addAssets(files: readonly File[], shown: string): Promise<void> {
  if (files.length > MAX_ADDED_ASSETS)
    notify({ level: 'warning', text: i18n.t('project:add.tooMany', { count: MAX_ADDED_ASSETS }) });
  const added = new Map<string, string>();
  for (const file of files.slice(0, MAX_ADDED_ASSETS)) {
    try {
      const asset = await api.call('assets.add', { data: await toData(file) });
      const isTaken = (path: string) => (added.get(path) ?? asset.id) !== asset.id;
      added.set(toAssetPath(file.name, asset, { shown, isTaken }), asset.id);
    } catch (error) {
      const values = { name: toVisible(file.name), reason: describeError(error, i18n.t) };
      notify({ level: 'warning', text: i18n.t('project:add.failed', values) });
    }
  }
  if (added.size === 0) return;
  await attempt(async () => {
    await api.call('assets.propose', {
      title: i18n.t('project:add.done', { count: added.size }),
      files: Array.from(added, ([path, id]) => ({ path, id })),
    });
    showView('review');
  });
}

/** Returns the bytes in base64. Throws for a file that is too large, and for a folder, which cannot be read. */
async function toData(file: File): Promise<string> {
  if (file.size > MAX_ASSET_BYTES)
    throw new AppError('E_TOO_LARGE', `"${file.name}" is too large.`, { reason: 'asset.bytes' });
  try {
    return await toBase64(file);
  } catch (error) {
    throw new AppError('E_UNSUPPORTED', `"${file.name}" cannot be read.`, { cause: error, reason: 'asset.type' });
  }
}
