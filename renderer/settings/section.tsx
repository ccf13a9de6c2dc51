import type { ReactNode } from 'react';
import classes from './settings-view.module.css';

interface SectionProps {
  title: string;
  lead?: string;
  /** Makes the section focusable, as a link target. */
  id?: string;
  children: ReactNode;
}

/** A section of the settings. */
export function Section({ title, lead, id, children }: SectionProps) {
  return (
    <section className={classes.section} id={id} tabIndex={id === undefined ? undefined : -1} aria-label={title}>
      <h3 className={classes.heading}>{title}</h3>
      {lead && <p className={classes.lead}>{lead}</p>}
      {children}
    </section>
  );
}

interface RowProps {
  label: string;
  hint?: string;
  children: ReactNode;
}

/** A setting: label on the left, control on the right. The control needs its own `aria-label`. */
export function SettingRow({ label, hint, children }: RowProps) {
  return (
    <div className={classes.row}>
      <div className={classes.words}>
        <div className={classes.label}>{label}</div>
        {hint && <div className={classes.hint}>{hint}</div>}
      </div>
      {children}
    </div>
  );
}
