import { createSerialQueue } from '../../../shared/async.ts';
import { AppError } from '../../../shared/errors.ts';
import { groupBy } from '../../../shared/group-by.ts';
import { MAX_ASSET_BYTES } from '../../../shared/model/asset/asset.ts';
import { MAX_ADDED_ASSETS } from '../../../shared/model/asset/asset-place.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { api } from '../../api.ts';
import { i18n } from '../../i18n/setup.ts';
import { navigationStore, showView } from '../../state/navigation.ts';
import { attempt, closeNotice, notify } from '../../state/notify.ts';
import { projectStore } from '../../state/project/project-store.ts';
import { reviewStore } from '../../state/review/review-store.ts';
import { toBase64 } from '../../ui/blob-bytes.ts';
import { describeError } from '../../ui/text/describe-error.ts';
import { type CollectedAssets, collectAssets } from './collect-assets.ts';
import { watchWriting } from './watch-writing.ts';

/** Most names in a notice. */
const MAX_NAMED = 5;
/** Most files that are added without a notice meanwhile. */
const MAX_UNTOLD = 3;
const RUNNING = 'adding files';

/** Files that are added meanwhile wait for those before them: of one change, none may go to make room for another. */
const queue = createSerialQueue();

/**
 * Submits pictures and sounds of the user's computer for review, at places that suit them; `shown`: the kind of the list that they
 * are added to. Tells which files cannot be added, and why.
 */
export async function addAssets(files: readonly File[], shown: string): Promise<void> {
  const game = projectStore.getState().project?.id;
  const isOpen = () => projectStore.getState().project?.id === game;
  await queue.run(() => attempt(() => add(files, shown, isOpen)));
}

async function add(files: readonly File[], shown: string, isOpen: () => boolean): Promise<void> {
  // Reading takes long: what the host would refuse afterwards is refused before it.
  if (reviewStore.getState().proposal)
    throw new AppError('E_CONFLICT', 'A proposal is waiting.', { reason: 'proposal.waits' });
  if (files.length > MAX_ADDED_ASSETS)
    notify({ level: 'warning', text: i18n.t('project:add.tooMany', { count: MAX_ADDED_ASSETS }) });
  if (files.length > MAX_UNTOLD)
    notify({ level: 'info', key: RUNNING, text: i18n.t('project:add.running', { count: files.length }) });
  const { view } = navigationStore.getState();
  const writing = watchWriting();
  try {
    const isProposed = await propose(files.slice(0, MAX_ADDED_ASSETS), shown, isOpen);
    if (!isProposed) return;
    if (writing.isWriting() || navigationStore.getState().view !== view) tellReady();
    else showView('review');
  } finally {
    writing.stop();
  }
}

/** Returns false if there is nothing to review. */
async function propose(files: readonly File[], shown: string, isOpen: () => boolean): Promise<boolean> {
  const taken = new Set(projectStore.getState().files?.map(({ path }) => path));
  const { added, failed, left } = await collectAssets(files, {
    keep: async (file) => api.call('assets.add', { data: await toData(file) }),
    goesOn: isOpen,
    shown,
    taken,
  });
  closeNotice(RUNNING);
  if (!isOpen()) {
    notify({ level: 'warning', text: i18n.t('project:add.otherGame') });
    return false;
  }
  tellFailed(failed, left);
  if (added.length === 0) return false;
  const title = toTitle(added.length, added.filter(({ path }) => taken.has(path)).length);
  await api.call('assets.propose', { title, files: added });
  return true;
}

/** Names what the change does: a picture of the game could be replaced without being seen among many new ones. */
function toTitle(all: number, replaced: number): string {
  if (replaced === 0) return i18n.t('project:add.done', { count: all });
  if (replaced === all) return i18n.t('project:add.replaced', { count: all });
  return i18n.t('project:add.both', { count: all - replaced, replaced });
}

function tellReady(): void {
  notify({
    level: 'info',
    text: i18n.t('project:add.ready'),
    action: { label: i18n.t('project:add.review'), run: () => showView('review') },
  });
}

/** One notice for all files with the same reason: only a few notices are shown at once. */
function tellFailed(failed: CollectedAssets['failed'], left: readonly File[]): void {
  const byReason = groupBy(failed, ({ error }) => describeError(error, i18n.t));
  for (const [reason, group] of byReason)
    tellNames(
      group.map(({ file }) => file),
      reason,
    );
  if (left.length > 0) tellNames(left, i18n.t('project:add.full'));
}

function tellNames(files: readonly File[], reason: string): void {
  const names = files.map(({ name }) => toVisible(name));
  const some = names.slice(0, MAX_NAMED).join(i18n.t('common:listSeparator'));
  const values = { names: names.length > MAX_NAMED ? `${some} … (${names.length})` : some, reason };
  notify({ level: 'warning', text: i18n.t('project:add.failed', values) });
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
