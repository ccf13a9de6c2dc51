import { type ReactNode, useEffect, useRef } from 'react';
import { askForSection, type LinkedSection, useIsSectionAsked } from '../state/asked-section.ts';
import classes from './settings-view.module.css';

interface SectionProps {
  title: string;
  lead?: string;
  /** Makes the section focusable, as a link target. */
  id?: LinkedSection;
  children: ReactNode;
}

/** A section of the settings. */
export function Section({ title, lead, id, children }: SectionProps) {
  const box = useRef<HTMLElement>(null);
  const isAsked = useIsSectionAsked(id);
  useEffect(() => {
    if (!isAsked) return;
    box.current?.scrollIntoView();
    box.current?.focus();
    askForSection(null);
  }, [isAsked]);
  return (
    <section
      ref={box}
      className={classes.section}
      id={id}
      tabIndex={id === undefined ? undefined : -1}
      aria-label={title}
    >
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
