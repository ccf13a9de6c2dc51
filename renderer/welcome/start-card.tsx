import { Loader, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './start-card.module.css';

interface StartCardProps {
  icon: ReactNode;
  title: string;
  hint: string;
  isBusy: boolean;
  onClick: () => void;
}

/** A button of the welcome page with a title and an explanation. */
export function StartCard({ icon, title, hint, isBusy, onClick }: StartCardProps) {
  return (
    <UnstyledButton className={classes.root} disabled={isBusy} onClick={onClick}>
      <span className={classes.icon} aria-hidden>
        {isBusy ? <Loader size={18} /> : icon}
      </span>
      <span className={classes.title}>{title}</span>
      <span className={classes.hint}>{hint}</span>
    </UnstyledButton>
  );
}
