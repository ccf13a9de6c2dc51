import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import classes from '../chat-rows.module.css';
import { useOpenRow } from './list/use-open-row.ts';

interface DisclosureProps {
  /** The id of the row, by which it stays open while it is scrolled out of view. */
  row: string;
  label: ReactNode;
  /** Instead of the chevron. */
  icon?: ReactNode;
  children: () => ReactNode;
}

/** One line that expands to details, which are drawn only then. */
export function Disclosure({ row, label, icon, children }: DisclosureProps) {
  const [isOpen, setOpen] = useOpenRow(row);
  const id = useId();
  return (
    <div>
      <UnstyledButton
        className={classes.quiet}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {icon ?? <IconChevronRight size={13} className={classes.chevron} aria-hidden />}
        {label}
      </UnstyledButton>
      {isOpen && (
        <div id={id} className={classes.inner}>
          {children()}
        </div>
      )}
    </div>
  );
}
