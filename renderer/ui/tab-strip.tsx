import { Scroller } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Keyboard and screen reader users reach every tab without the arrows: a focused tab scrolls into view. */
const POINTER_ONLY = { 'aria-hidden': true, tabIndex: -1 };

/** Tabs in one row. Arrow buttons scroll it if the tabs do not fit. */
export function TabStrip({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return (
    <Scroller
      className={className ?? ''}
      draggable={false}
      controlSize={28}
      edgeGradientColor="var(--paper)"
      startControlProps={POINTER_ONLY}
      endControlProps={POINTER_ONLY}
      startControlIcon={<IconChevronLeft size={16} />}
      endControlIcon={<IconChevronRight size={16} />}
    >
      {children}
    </Scroller>
  );
}
