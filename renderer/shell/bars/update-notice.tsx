import { UnstyledButton } from '@mantine/core';
import { IconArrowUpCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { askForSection } from '../../state/asked-section.ts';
import { useUpdates } from '../../state/updates-store.ts';
import classes from './status-bar.module.css';

interface UpdateNoticeProps {
  className: string;
  /** Opens the settings. */
  onOpen: () => void;
}

/** A notice in the status bar that a new version is available. Failures are shown in the settings only. */
export function UpdateNotice({ className, onOpen }: UpdateNoticeProps) {
  const { t } = useTranslation('shell');
  const phase = useUpdates((state) => state.phase);
  if (phase.status !== 'ready' && phase.status !== 'available') return null;
  const show = () => {
    askForSection('settings-updates');
    onOpen();
  };
  return (
    <UnstyledButton className={className} onClick={show}>
      <IconArrowUpCircle size={14} className={classes.update} aria-hidden />
      {t(`status.update.${phase.status}`, { version: phase.offer.version })}
    </UnstyledButton>
  );
}
