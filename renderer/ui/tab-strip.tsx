import { Scroller } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Keyboard and screen reader users reach every tab without the arrows: a focused tab scrolls into view. */
const POINTER_ONLY = { 'aria-hidden': true, tabIndex: -1 };

/** Width of the space at an end with an arrow, in pixels. Its outer two fifths are opaque, as wide as the icon. */
const ARROW_PX = 40;

interface TabStripProps {
  className?: string | undefined;
  /** Background of the tabs, behind the arrows. */
  background?: string;
  children: ReactNode;
}

/** Tabs in one row. Arrow buttons scroll it if the tabs do not fit. */
export function TabStrip({ className, background = 'var(--paper)', children }: TabStripProps) {
  return (
    <Scroller
      className={className ?? ''}
      draggable={false}
      controlSize={ARROW_PX}
      edgeGradientColor={background}
      startControlProps={POINTER_ONLY}
      endControlProps={POINTER_ONLY}
      startControlIcon={<IconChevronLeft size={16} />}
      endControlIcon={<IconChevronRight size={16} />}
    >
      {children}
    </Scroller>
  );
}

/**
 * The `ref` of the active tab: scrolls it into view, and again when the strip changes its width, unless the user has
 * scrolled it out of view.
 */
export function showTab(tab: HTMLElement | null): (() => void) | undefined {
  if (!tab) return;
  tab.scrollIntoView({ block: 'nearest', inline: 'center' });
  const strip = tab.closest('.mantine-Scroller-container');
  // In a list of all files there is no strip.
  if (!strip) return;
  let width = Number.POSITIVE_INFINITY;
  const observer = new ResizeObserver(() => {
    const start = tab.getBoundingClientRect().left - strip.getBoundingClientRect().left;
    const wasShown = start > -1 && start + tab.offsetWidth < width + 1;
    if (wasShown) tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    // A strip that is not displayed has no width.
    width = strip.clientWidth || width;
  });
  observer.observe(strip);
  return () => observer.disconnect();
}
