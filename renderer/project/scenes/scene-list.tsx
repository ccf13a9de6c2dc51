import { type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProjectFile } from '../../../shared/model/project.ts';
import { useEditor } from '../../state/documents/editor-store.ts';
import { ROW_HEIGHT, toShortName } from '../../state/project/file-kinds.ts';
import { VirtualList } from '../../ui/list/virtual-list.tsx';
import classes from '../project-tree.module.css';
import { RenameSceneDialog } from './rename-scene-dialog.tsx';
import { SceneRow } from './scene-row.tsx';

interface SceneListProps {
  scenes: readonly ProjectFile[];
  /** The scrolling ancestor. */
  scroller: RefObject<HTMLElement | null>;
}

/** The game's scenes, the entry scene first. */
export function SceneList({ scenes, scroller }: SceneListProps) {
  const { t } = useTranslation('project');
  const active = useEditor((state) => state.active);
  const [renamed, setRenamed] = useState<ProjectFile | null>(null);
  return (
    <>
      {scenes.length > 0 && (
        <VirtualList
          items={scenes}
          label={t('scenes')}
          className={classes.list}
          scroller={scroller}
          rowHeight={ROW_HEIGHT}
          toText={toShortName}
          current={scenes.findIndex(({ path }) => path === active)}
        >
          {(scene, tabIndex) => (
            <SceneRow
              key={scene.path}
              scene={scene}
              isActive={scene.path === active}
              tabIndex={tabIndex}
              onRename={() => setRenamed(scene)}
            />
          )}
        </VirtualList>
      )}
      {renamed && <RenameSceneDialog scene={renamed} onClose={() => setRenamed(null)} />}
    </>
  );
}
