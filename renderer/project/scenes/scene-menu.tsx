import { ActionIcon, type ActionIconProps, Menu } from '@mantine/core';
import { IconDots, IconMap2, IconPencil, IconTrash } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProjectFile } from '../../../shared/model/project.ts';
import { START_PATH } from '../../../shared/script/project-index/project-facts.ts';
import { toShortName } from '../../state/project/file-kinds.ts';
import { showOnMap } from '../../workflows/show-file.ts';
import { deleteScene } from './change-scene.ts';
import classes from './scene-row.module.css';

/** The button of a scene's menu. It is no tab stop: the list is a single one, and the menu key opens the menu. */
export function MenuButton({ name, ...props }: ActionIconProps & ComponentProps<'button'> & { name: string }) {
  const { t } = useTranslation('project');
  return (
    <ActionIcon
      className={classes.actions}
      size="sm"
      tabIndex={-1}
      aria-label={t('scene.actions', { name })}
      aria-haspopup="menu"
      {...props}
    >
      <IconDots size={15} stroke={1.6} />
    </ActionIcon>
  );
}

interface SceneMenuProps {
  scene: ProjectFile;
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
  onRename: () => void;
}

/** A scene's menu with its button: shows the scene on the story map, renames and deletes it. The entry scene keeps its name. */
export function SceneMenu({ scene, isOpen, onChange, onRename }: SceneMenuProps) {
  const { t } = useTranslation('project');
  return (
    <Menu position="bottom-end" withinPortal opened={isOpen} onChange={onChange}>
      <Menu.Target>
        <MenuButton name={toShortName(scene)} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconMap2 size={14} />} onClick={() => showOnMap(scene.path)}>
          {t('scene.map')}
        </Menu.Item>
        {scene.path !== START_PATH && (
          <>
            <Menu.Item
              leftSection={<IconPencil size={14} />}
              rightSection={<kbd className={classes.keys}>F2</kbd>}
              onClick={onRename}
            >
              {t('scene.rename')}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconTrash size={14} />}
              rightSection={<kbd className={classes.keys}>{t('scene.deleteKey')}</kbd>}
              onClick={() => void deleteScene(scene)}
            >
              {t('scene.delete')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
