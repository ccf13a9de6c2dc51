import { ActionIcon, Tooltip } from '@mantine/core';
import { IconLayoutSidebar, IconLayoutSidebarRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Project } from '../../../shared/model/project.ts';
import { AppearanceMenus } from '../../settings/appearance-menus.tsx';
import { setAssistantOpen, setStageOpen, useNavigation } from '../../state/navigation.ts';
import { Logo } from '../../ui/logo.tsx';
import { GameMenu } from './game-menu.tsx';
import { SaveState } from './save-state.tsx';
import classes from './title-bar.module.css';

interface TitleBarProps {
  project: Project;
}

/** The title bar: the open game, whether its text is saved, and controls for the whole window. */
export function TitleBar({ project }: TitleBarProps) {
  const { t } = useTranslation('shell');
  const isAssistantOpen = useNavigation((state) => state.isAssistantOpen);
  const isStageOpen = useNavigation((state) => state.isStageOpen);
  const assistantLabel = t(isAssistantOpen ? 'foldAssistant' : 'unfoldAssistant');
  const stageLabel = t(isStageOpen ? 'foldStage' : 'unfoldStage');
  return (
    <header className={classes.root}>
      <span className={classes.logo}>
        <Logo size={22} />
      </span>
      <GameMenu project={project} />
      <span className={classes.chip}>{t('engine', { version: project.engineVersion })}</span>
      <div className={classes.end}>
        <SaveState />
        <AppearanceMenus />
        <span className={classes.rule} aria-hidden />
        <Tooltip label={assistantLabel}>
          <ActionIcon
            aria-label={assistantLabel}
            aria-pressed={isAssistantOpen}
            onClick={() => setAssistantOpen(!isAssistantOpen)}
          >
            <IconLayoutSidebar size={18} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={stageLabel}>
          <ActionIcon aria-label={stageLabel} aria-pressed={isStageOpen} onClick={() => setStageOpen(!isStageOpen)}>
            <IconLayoutSidebarRight size={18} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </div>
    </header>
  );
}
