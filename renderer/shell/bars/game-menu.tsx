import { Menu, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconFolderOpen, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Project } from '../../../shared/model/project.ts';
import { notifyError } from '../../state/notify.ts';
import { readRecents, useProject } from '../../state/project/project-store.ts';
import { closeProject, openProject, pickProject } from '../../workflows/open-project.ts';
import classes from './title-bar.module.css';

interface GameMenuProps {
  project: Project;
}

/** The game's name, with a menu to open another game. */
export function GameMenu({ project }: GameMenuProps) {
  const { t } = useTranslation('shell');
  const recents = useProject((state) => state.recents).filter((recent) => recent.id !== project.id);
  const leave = (go: () => Promise<void>) => void go().catch(notifyError);
  return (
    <Menu position="bottom-start" onOpen={() => void readRecents().catch(notifyError)}>
      <h1 className={classes.heading}>
        <Menu.Target>
          <UnstyledButton className={classes.game} aria-label={t('game.menu', { title: project.title })}>
            <span className={classes.name}>{project.title}</span>
            <IconChevronDown size={14} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
      </h1>
      <Menu.Dropdown miw={220}>
        {recents.length > 0 && <Menu.Label>{t('game.recent')}</Menu.Label>}
        {recents.slice(0, 6).map((recent) => (
          <Menu.Item key={recent.id} onClick={() => leave(() => openProject(recent.id))}>
            {recent.title}
          </Menu.Item>
        ))}
        {recents.length > 0 && <Menu.Divider />}
        <Menu.Item leftSection={<IconFolderOpen size={16} stroke={1.6} />} onClick={() => leave(pickProject)}>
          {t('game.open')}
        </Menu.Item>
        <Menu.Item leftSection={<IconX size={16} stroke={1.6} />} onClick={() => leave(closeProject)}>
          {t('game.close')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
