import type { ReactNode, RefObject } from 'react';
import classes from './region.module.css';
import { RegionBoundary } from './region-boundary.tsx';

interface RegionProps {
  /** Identifies the region for F6 navigation and tests. */
  id: string;
  label: string;
  ref?: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/** A region of the window: a stop of F6 navigation, and an error boundary. */
export function Region({ id, label, ref, children }: RegionProps) {
  return (
    <section ref={ref} className={classes.root} id={id} data-region tabIndex={-1} aria-label={label}>
      <RegionBoundary>{children}</RegionBoundary>
    </section>
  );
}
