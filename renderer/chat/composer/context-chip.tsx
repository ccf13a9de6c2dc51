import { ActionIcon, Tooltip, UnstyledButton } from '@mantine/core';
import { IconMapPin, IconPlus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useEditor } from '../../state/documents/editor-store.ts';
import { useStage } from '../../state/stage/stage-store.ts';
import { sceneName } from '../scene-name.ts';
import classes from './context-chip.module.css';

interface ContextChipProps {
  isIncluded: boolean;
  onChange: (isIncluded: boolean) => void;
}

/** The cursor position that is sent with the message, without an open file the stage; the user can exclude and include it. */
export function ContextChip({ isIncluded, onChange }: ContextChipProps) {
  const { t } = useTranslation('chat');
  const path = useEditor((state) => state.active);
  const line = useEditor((state) => state.cursor?.line);
  const selected = useEditor((state) => countLines(state.cursor?.selection ?? ''));
  const isShown = useStage((state) => state.stage.shown !== null);
  const isInFile = Boolean(path && line);
  if (!isInFile && !isShown) return null;
  if (!isIncluded) {
    return (
      <UnstyledButton className={classes.add} onClick={() => onChange(true)}>
        <IconPlus size={13} aria-hidden />
        {t('composer.contextAdd')}
      </UnstyledButton>
    );
  }
  const parts = [
    path && line ? t('composer.contextLine', { scene: sceneName(path), line }) : t('composer.contextStage'),
  ];
  if (selected > 0) parts.push(t('composer.contextSelection', { count: selected }));
  return (
    <span className={classes.chip}>
      <Tooltip label={t('composer.contextHint')}>
        <span className={classes.where}>
          <IconMapPin size={13} aria-hidden />
          <span className={classes.words}>{parts.join(' · ')}</span>
        </span>
      </Tooltip>
      <ActionIcon size={20} radius="xl" aria-label={t('composer.contextRemove')} onClick={() => onChange(false)}>
        <IconX size={12} />
      </ActionIcon>
    </span>
  );
}

function countLines(selection: string): number {
  return selection === '' ? 0 : selection.replace(/\n$/, '').split('\n').length;
}
