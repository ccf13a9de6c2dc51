import { UnstyledButton } from '@mantine/core';
import { IconFileText, IconPlayerPlay } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProjectFile } from '../../shared/model/project.ts';
import { useEditor } from '../state/documents/editor-store.ts';
import { ROW_HEIGHT, toShortName } from '../state/project/file-kinds.ts';
import { startFileDrag } from '../ui/file-drag.ts';
import { VirtualList } from '../ui/list/virtual-list.tsx';
import { showFile } from '../workflows/show-file.ts';
import classes from './project-tree.module.css';

interface SceneListProps {
  scenes: readonly ProjectFile[];
  /** The scrolling ancestor. */
  scroller: RefObject<HTMLElement | null>;
}

/** The game's scenes, the entry scene first. */
export function SceneList({ scenes, scroller }: SceneListProps) {
  const { t } = useTranslation('project');
  const active = useEditor((state) => state.active);
  if (scenes.length === 0) return null;
  return (
    <VirtualList
      items={scenes}
      label={t('scenes')}
      className={classes.list}
      scroller={scroller}
      rowHeight={ROW_HEIGHT}
      toText={toShortName}
      current={scenes.findIndex(({ path }) => path === active)}
    >
      {(scene, tabIndex) => {
        const isStart = scene.path === 'game/scene/start.txt';
        return (
          <UnstyledButton
            key={scene.path}
            className={classes.row}
            title={toShortName(scene)}
            tabIndex={tabIndex}
            draggable
            onDragStart={(event) => startFileDrag(event, scene.path)}
            aria-current={scene.path === active ? 'true' : undefined}
            onClick={() => showFile(scene.path)}
          >
            {isStart ? (
              <IconPlayerPlay size={15} stroke={1.6} aria-hidden />
            ) : (
              <IconFileText size={15} stroke={1.6} aria-hidden />
            )}
            <span className={classes.name}>{toShortName(scene)}</span>
            {isStart && <span className={classes.note}>{t('start')}</span>}
          </UnstyledButton>
        );
      }}
    </VirtualList>
  );
}
