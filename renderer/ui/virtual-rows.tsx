import { type ReactElement, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import {
  type CustomContainerComponentProps,
  type CustomItemComponentProps,
  Virtualizer,
  type VirtualizerHandle,
} from 'virtua';

export type ContainerProps = CustomContainerComponentProps;
export type RowProps = CustomItemComponentProps;
export type RowsHandle = VirtualizerHandle;

interface VirtualRowsProps<Item> {
  items: readonly Item[];
  /** What scrolls; the rows may be one of several things in it. */
  scroller: RefObject<HTMLElement | null>;
  /** What the rows lie in, and what each lies in. */
  container: (props: ContainerProps) => ReactElement;
  row?: (props: RowProps) => ReactElement;
  handle?: RefObject<RowsHandle | null>;
  /** Height of a row where all are alike, in pixels. */
  rowHeight?: number | undefined;
  /** Rows that stay in the page wherever they are. Indexes out of range are left out. */
  kept?: readonly number[];
  /** True while rows come in above: those in sight must not move. */
  isFilling?: boolean;
  children: (item: Item, index: number) => ReactElement;
}

/** Rows of any number of which only those in sight are in the page: the one way to the library that does it. */
export function VirtualRows<Item>({
  items,
  scroller,
  container,
  row,
  handle,
  rowHeight,
  kept = [],
  isFilling = false,
  children,
}: VirtualRowsProps<Item>) {
  const box = useRef<HTMLDivElement>(null);
  const startMargin = useStartMargin(scroller, box);
  return (
    <div ref={box}>
      <Virtualizer
        {...(handle && { ref: handle })}
        as={container}
        {...(row && { item: row })}
        data={items}
        scrollRef={scroller}
        startMargin={startMargin}
        shift={isFilling}
        keepMounted={toOrder(kept, items.length)}
        {...(rowHeight !== undefined && { itemSize: rowHeight })}
      >
        {children}
      </Virtualizer>
    </div>
  );
}

/** In the order of the rows, for that is the order in the page. */
function toOrder(indexes: readonly number[], length: number): number[] {
  return [...new Set(indexes)].filter((index) => index >= 0 && index < length).sort((one, other) => one - other);
}

/** How far down in what scrolls the rows begin, in pixels; follows what stands above them. */
function useStartMargin(scroller: RefObject<HTMLElement | null>, box: RefObject<HTMLElement | null>): number {
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const [outer, inner] = [scroller.current, box.current];
    if (!outer || !inner) return;
    const measure = () => {
      const top = inner.getBoundingClientRect().top - outer.getBoundingClientRect().top + outer.scrollTop;
      setMargin(Math.round(top));
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const child of outer.children) observer.observe(child);
    return () => observer.disconnect();
  }, [scroller, box]);
  return margin;
}
