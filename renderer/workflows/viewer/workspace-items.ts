import { VIEWERS, type WorkspaceItem } from '../../../shared/model/viewer/viewers.ts';
import { editorStore } from '../../state/documents/editor-store.ts';
import { language, whenFed } from '../../state/language/language.ts';
import { isText, toShortName } from '../../state/project/file-kinds.ts';
import { filesAreRead, projectStore } from '../../state/project/project-store.ts';
import { stageStore } from '../../state/stage/stage-store.ts';

export type ViewerId = keyof typeof VIEWERS;

/** More items than fit an answer are counted, not listed. */
const MAX_ITEMS = 150;

/** Returns the items of a viewer, in the order that its workspace declares. */
export async function listItems(viewer: ViewerId): Promise<Record<string, unknown>> {
  const { ordered, type } = VIEWERS[viewer].workspace;
  const all = await RESOLVERS[viewer]();
  const items = all.slice(0, MAX_ITEMS).map((item, index) => ({ ...item, ...(ordered && { index }) }));
  return { viewer, type, total: all.length, items };
}

const RESOLVERS: Record<ViewerId, () => Promise<WorkspaceItem[]>> = {
  async editor() {
    await filesAreRead();
    const { active, files: open } = editorStore.getState();
    const states = new Map(open.map(({ path, state }) => [path, state.status]));
    const files = (projectStore.getState().files ?? []).filter(({ path }) => isText(path));
    const toItem = (file: (typeof files)[number]): WorkspaceItem => {
      const state = states.get(file.path);
      return {
        path: file.path,
        label: toShortName(file),
        ...(state && { metadata: { isOpen: true, isActive: file.path === active, state } }),
      };
    };
    // Open files first: they are cut off last.
    return [...files.filter(({ path }) => states.has(path)), ...files.filter(({ path }) => !states.has(path))].map(
      toItem,
    );
  },
  async stage() {
    await whenFed();
    const { shown } = stageStore.getState().stage;
    const order = await language().call('order', {});
    return order.map((path) => ({
      path,
      label: toShortName({ path, kind: 'scene' }),
      ...(shown?.scene === path && { metadata: { isActive: true, line: shown.line } }),
    }));
  },
  async map() {
    const { project } = projectStore.getState();
    return [{ path: 'game/scene/start.txt', label: project?.title ?? '' }];
  },
};
