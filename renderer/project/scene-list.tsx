import { UnstyledButton } from '@mantine/core';
import { IconFileText, IconPlayerPlay } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ProjectFile } from '../../shared/model/project.ts';
import { useEditor } from '../editor/editor-store.ts';
import { toShortName } from './file-kinds.ts';
import classes from './project-tree.module.css';
import { showFile } from './show-file.ts';

interface SceneListProps {
  scenes: ProjectFile[];
}

/** The game's scenes, the one where it starts first. */
export function SceneList({ scenes }: SceneListProps) {
  const { t } = useTranslation('project');
  const active = useEditor((state) => state.active);
  if (scenes.length === 0) return null;
  return (
    <ul className={classes.list} aria-label={t('scenes')}>
      {scenes.map((scene) => {
        const isStart = scene.path === 'game/scene/start.txt';
        return (
          <li key={scene.path} className={classes.lazy}>
            <UnstyledButton
              className={classes.row}
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
          </li>
        );
      })}
    </ul>
  );
}
