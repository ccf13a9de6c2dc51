import { AppError } from '../../../shared/errors.ts';
import { MAX_ASSET_BYTES } from '../../../shared/model/asset/asset.ts';
import { MAX_ADDED_ASSETS } from '../../../shared/model/asset/asset-place.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { api } from '../../api.ts';
import { i18n } from '../../i18n/setup.ts';
import { navigationStore, showView } from '../../state/navigation.ts';
import { attempt, closeNotice, notify } from '../../state/notify.ts';
import { projectStore } from '../../state/project/project-store.ts';
import { toBase64 } from '../../ui/blob-bytes.ts';
import { describeError } from '../../ui/text/describe-error.ts';
import { toAssetPath } from './to-asset-path.ts';

/** Most names in a notice. */
const MAX_NAMED = 5;
/** Most files that are added without a notice meanwhile. */
const MAX_UNTOLD = 3;
const RUNNING = 'adding files';

/**
 * Submits pictures and sounds of the user's computer for review, at places that suit them; `shown`: the kind of the list that they
 * are added to. Tells which files cannot be added, and why.
 */
export async function addAssets(files: readonly File[], shown: string): Promise<void> {
  if (files.length > MAX_ADDED_ASSETS)
    notify({ level: 'warning', text: i18n.t('project:add.tooMany', { count: MAX_ADDED_ASSETS }) });
  const readGame = () => projectStore.getState().project?.id;
  const game = readGame();
  const { view } = navigationStore.getState();
  const focused = document.activeElement;
  if (files.length > MAX_UNTOLD)
    notify({ level: 'info', key: RUNNING, text: i18n.t('project:add.running', { count: files.length }) });
  const places = createPlaces();
  /** Names of the files that cannot be added, by reason. */
  const failed = new Map<string, string[]>();
  for (const file of files.slice(0, MAX_ADDED_ASSETS)) {
    if (readGame() !== game) break;
    try {
      const asset = await api.call('assets.add', { data: await toData(file) });
      places.add(asset.id, (isTaken) => toAssetPath(file.name, asset, { shown, isTaken }));
    } catch (error) {
      const reason = describeError(error, i18n.t);
      failed.set(reason, [...(failed.get(reason) ?? []), toVisible(file.name)]);
    }
  }
  closeNotice(RUNNING);
  if (readGame() !== game) {
    notify({ level: 'warning', text: i18n.t('project:add.otherGame') });
    return;
  }
  for (const [reason, names] of failed) tellFailed(reason, names);
  const added = places.all();
  if (added.length === 0) return;
  await attempt(async () => {
    await api.call('assets.propose', { title: i18n.t('project:add.done', { count: added.length }), files: added });
    const isElsewhere = navigationStore.getState().view !== view || isWriting(focused);
    if (isElsewhere) tellReady();
    else showView('review');
  });
}

/** True if the user has begun to write since `focused` had the focus: another view would take away what is typed next. */
function isWriting(focused: Element | null): boolean {
  const now = document.activeElement;
  return now !== focused && now !== null && now.matches('input, textarea, [contenteditable="true"], [role="textbox"]');
}

function tellReady(): void {
  notify({
    level: 'info',
    text: i18n.t('project:add.ready'),
    action: { label: i18n.t('project:add.review'), run: () => showView('review') },
  });
}

/** One notice for all files with the same reason: only a few notices are shown at once. */
function tellFailed(reason: string, names: readonly string[]): void {
  const some = names.slice(0, MAX_NAMED).join(i18n.t('common:listSeparator'));
  const values = { names: names.length > MAX_NAMED ? `${some} … (${names.length})` : some, reason };
  notify({ level: 'warning', text: i18n.t('project:add.failed', values) });
}

/** Collects paths that differ in more than their case, also from those of the game: on Windows and macOS they would be one file. */
function createPlaces() {
  const inAnyCase = new Map<string, string>();
  for (const { path } of projectStore.getState().files ?? []) inAnyCase.set(path.toLowerCase(), path);
  const added = new Map<string, string>();
  return {
    add(id: string, toPath: (isTaken: (path: string) => boolean) => string): void {
      const path = toPath((wanted) => {
        const other = inAnyCase.get(wanted.toLowerCase());
        // A file of the game is replaced by one with its name; the review shows both.
        return (other !== undefined && other !== wanted) || (added.get(wanted) ?? id) !== id;
      });
      inAnyCase.set(path.toLowerCase(), path);
      added.set(path, id);
    },
    all: () => Array.from(added, ([path, id]) => ({ path, id })),
  };
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
