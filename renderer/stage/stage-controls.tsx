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
import { memo, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type EditorState, useEditor } from '../state/documents/editor-store.ts';
import { updateSettings, useSettings } from '../state/settings-store.ts';
import { goBackOnStage, useStage } from '../state/stage/stage-store.ts';
import { stepOnStage } from '../workflows/stage/drive-stage.ts';
import { playFromCursor } from '../workflows/stage/play-story.ts';
import { StageInspector } from './inspector/stage-inspector.tsx';
import classes from './stage-controls.module.css';
import { StageMenu } from './stage-menu.tsx';

/** Between the panel of the stage and what opens beside it, in pixels. */
const BESIDE = 8;
const ICON = { size: 17, stroke: 1.6 } as const;

/** Controls of the stage: start position, variables and sound. */
export const StageControls = memo(function StageControls({ onReload }: { onReload: () => void }) {
  const { t } = useTranslation('stage');
  const place = useStage((state) => state.stage.place);
  const canGoBack = useStage(({ stage }) => stage.hasMovedOn === true || (stage.steps?.previous ?? null) !== null);
  const isOff = useStage((state) => state.stage.url === null);
  // Not the cursor itself: the controls would be rendered again for each new line that is typed.
  const hasCursor = useEditor((state) => toScenePlace(state) !== null);
  const follows = useSettings((state) => state.settings.stageFollowsCursor);
  const isMuted = useSettings((state) => state.settings.stageMuted);

  return (
    <div className={classes.bar} role="toolbar" aria-label={t('controls')}>
      <IconButton label={t('previous')} isDisabled={!canGoBack} onClick={goBackOnStage}>
        <IconChevronLeft {...ICON} />
      </IconButton>
      <Button
        className={classes.play ?? ''}
        variant="default"
        title={t('play')}
        aria-label={t('play')}
        leftSection={<IconPlayerPlay size={14} />}
        disabled={isOff || !hasCursor}
        onClick={playFromCursor}
      >
        <span className={classes.whole}>{t('play')}</span>
        <span className={classes.short}>{t('playShort')}</span>
      </Button>
      <IconButton label={t('next')} isDisabled={isOff || !place} onClick={() => void stepOnStage()}>
        <IconChevronRight {...ICON} />
      </IconButton>
      <InspectButton isDisabled={isOff} />
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
      <StageMenu />
    </div>
  );
});

/** Opens the inspector beside the picture, which shows what is changed in it. */
function InspectButton({ isDisabled }: { isDisabled: boolean }) {
  const { t } = useTranslation('stage');
  const button = useRef<HTMLButtonElement>(null);
  const [toEdge, setToEdge] = useState(0);
  return (
    <Popover
      position="left-end"
      offset={toEdge}
      shadow="md"
      withinPortal
      trapFocus
      onOpen={() => setToEdge((button.current?.offsetLeft ?? 0) + BESIDE)}
    >
      <Popover.Target>
        <ActionIcon ref={button} variant="default" aria-label={t('inspect')} title={t('inspect')} disabled={isDisabled}>
          <IconVariable {...ICON} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <StageInspector />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Returns the position of the cursor if a scene is open. */
function toScenePlace({ active, cursor }: EditorState): { path: string; line: number } | null {
  return active?.startsWith('game/scene/') && cursor ? { path: active, line: cursor.line } : null;
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
