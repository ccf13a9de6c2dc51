import { ActionIcon, Button, Popover, Tooltip } from '@mantine/core';
import {
  IconChevronLeft,
  IconChevronRight,
  IconCursorText,
  IconPlayerPlay,
  IconRefresh,
  IconVariable,
  IconVolume,
  IconVolumeOff,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditor } from '../state/documents/editor-store.ts';
import { updateSettings, useSettings } from '../state/settings-store.ts';
import { showOnStage, useStage } from '../state/stage/stage-store.ts';
import classes from './stage-controls.module.css';
import { VariableList } from './variable-list.tsx';

const ICON = { size: 17, stroke: 1.6 } as const;

/** Controls of the stage: start position, variables and sound. */
export function StageControls({ onReload }: { onReload: () => void }) {
  const { t } = useTranslation('stage');
  const place = useStage((state) => state.stage.place);
  const steps = useStage((state) => state.stage.steps);
  const isOff = useStage((state) => state.stage.url === null);
  const active = useEditor((state) => state.active);
  const line = useEditor((state) => state.cursor?.line ?? null);
  const follows = useSettings((state) => state.settings.stageFollowsCursor);
  const isMuted = useSettings((state) => state.settings.stageMuted);

  const step = (to: number | null | undefined) => place && to && showOnStage({ ...place, line: to });
  const cursor = active?.startsWith('game/scene/') && line !== null ? { path: active, line } : null;

  return (
    <div className={classes.bar} role="toolbar" aria-label={t('controls')}>
      <IconButton label={t('previous')} isDisabled={!steps?.previous} onClick={() => step(steps?.previous)}>
        <IconChevronLeft {...ICON} />
      </IconButton>
      <Button
        className={classes.play ?? ''}
        variant="default"
        leftSection={<IconPlayerPlay size={14} />}
        disabled={isOff || !cursor}
        onClick={() => cursor && showOnStage({ ...cursor, source: place?.source ?? 'saved' })}
      >
        {t('play')}
      </Button>
      <IconButton label={t('next')} isDisabled={!steps?.next} onClick={() => step(steps?.next)}>
        <IconChevronRight {...ICON} />
      </IconButton>
      <Popover position="top" shadow="md" withinPortal trapFocus>
        <Popover.Target>
          <ActionIcon variant="default" aria-label={t('variables')} title={t('variables')} disabled={isOff}>
            <IconVariable {...ICON} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown p="xs">
          <VariableList />
        </Popover.Dropdown>
      </Popover>
      <span className={classes.rest} />
      <IconButton
        label={t('follow')}
        isPressed={follows}
        onClick={() => void updateSettings({ stageFollowsCursor: !follows })}
      >
        <IconCursorText {...ICON} />
      </IconButton>
      <IconButton label={t('mute')} isPressed={isMuted} onClick={() => void updateSettings({ stageMuted: !isMuted })}>
        {isMuted ? <IconVolumeOff {...ICON} /> : <IconVolume {...ICON} />}
      </IconButton>
      <IconButton label={t('reload')} isDisabled={isOff} onClick={onReload}>
        <IconRefresh {...ICON} />
      </IconButton>
    </div>
  );
}

interface IconButtonProps {
  label: string;
  isDisabled?: boolean;
  isPressed?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function IconButton({ label, isDisabled = false, isPressed, onClick, children }: IconButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={isPressed ? 'light' : 'default'}
        color={isPressed ? 'iris' : 'gray'}
        aria-label={label}
        aria-pressed={isPressed}
        disabled={isDisabled}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
