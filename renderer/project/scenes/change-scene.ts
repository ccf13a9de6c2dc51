import { AppError } from '../../../shared/errors.ts';
import type { ProjectFile } from '../../../shared/model/project.ts';
import { api } from '../../api.ts';
import { i18n } from '../../i18n/setup.ts';
import { flushSaves } from '../../state/documents/editor-store.ts';
import { language, whenFed } from '../../state/language/language.ts';
import { attempt } from '../../state/notify.ts';
import { toShortName } from '../../state/project/file-kinds.ts';
import { changeFiles } from '../../workflows/changes/change-files.ts';
import { toScenePath } from './to-scene-path.ts';

/**
 * Proposes to rename a scene, with all lines that lead to it. `name` is relative to the scene folder, with or without its ending.
 * Throws `E_DENY_PATH` and `E_BAD_ARGS`, reason `rename.*`, for a name that cannot be used.
 */
export async function renameScene(scene: ProjectFile, name: string): Promise<void> {
  const path = toScenePath(name);
  await whenFed();
  const changes = await language().call('renameScene', { path: scene.path, name: toShortName({ ...scene, path }) });
  if ('problem' in changes) {
    throw new AppError('E_BAD_ARGS', `The scene cannot be renamed: ${changes.problem}.`, {
      reason: `rename.${changes.problem}`,
      details: { name },
    });
  }
  await changeFiles(
    changes,
    i18n.t('editor:renamed', { from: toShortName(scene), to: toShortName({ ...scene, path }) }),
  );
}

/** Proposes to delete a scene. The review shows which lines then lead nowhere. */
export async function deleteScene(scene: ProjectFile): Promise<void> {
  await attempt(async () => {
    await flushSaves();
    const { text } = await api.call('script.read', { path: scene.path });
    const title = i18n.t('project:scene.deleted', { name: toShortName(scene) });
    await changeFiles([{ path: scene.path, before: text, after: null }], title);
  });
}
