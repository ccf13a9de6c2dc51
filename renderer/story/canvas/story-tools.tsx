import { ActionIcon, Popover, Tooltip } from '@mantine/core';
import { IconFocusCentered, IconHelp, IconMinus, IconPencil, IconPlus } from '@tabler/icons-react';
import { Panel } from '@xyflow/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './story-canvas.module.css';
import { StoryLegend } from './story-legend.tsx';

interface StoryToolsProps {
  onFit(): void;
  onNearer(): void;
  onFarther(): void;
  /** Null if the open file is not on the map. */
  onHere: (() => void) | null;
}

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;

/** Buttons in the corner of the map. */
export function StoryTools({ onFit, onNearer, onFarther, onHere }: StoryToolsProps) {
  const { t } = useTranslation('story');
  const tools: { label: string; icon: ReactNode; run: () => void }[] = [
    ...(onHere ? [{ label: t('goHere'), icon: <IconPencil {...ICON} />, run: onHere }] : []),
    { label: t('fit'), icon: <IconFocusCentered {...ICON} />, run: onFit },
    { label: t('zoomIn'), icon: <IconPlus {...ICON} />, run: onNearer },
    { label: t('zoomOut'), icon: <IconMinus {...ICON} />, run: onFarther },
  ];
  return (
    <Panel position="bottom-right" className={classes.tools ?? ''}>
      <Popover position="left-end" withinPortal shadow="md" trapFocus returnFocus>
        <Popover.Target>
          <ActionIcon variant="subtle" color="gray" size={30} aria-label={t('legend.label')} title={t('legend.label')}>
            <IconHelp {...ICON} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown>
          <StoryLegend />
        </Popover.Dropdown>
      </Popover>
      {tools.map(({ label, icon, run }) => (
        <Tooltip key={label} label={label} position="left">
          <ActionIcon variant="subtle" color="gray" size={30} aria-label={label} onClick={run}>
            {icon}
          </ActionIcon>
        </Tooltip>
      ))}
    </Panel>
  );
}
