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
  /** The scroll container; it can contain more than the rows. */
  scroller: RefObject<HTMLElement | null>;
  /** Components that wrap all rows and each row. */
  container: (props: ContainerProps) => ReactElement;
  row?: (props: RowProps) => ReactElement;
  handle?: RefObject<RowsHandle | null>;
  /** Height of a row in pixels, if all rows have the same. */
  rowHeight?: number | undefined;
  /** Indexes of rows that stay mounted. Ignores indexes out of range. */
  kept?: readonly number[];
  /** True while rows are prepended: visible rows must not move. */
  isFilling?: boolean;
  children: (item: Item, index: number) => ReactElement;
}

/** Mounts only visible rows. The only wrapper of the virtualization library. */
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

/** Returns valid unique indexes in ascending order, which is the DOM order. */
function toOrder(indexes: readonly number[], length: number): number[] {
  return [...new Set(indexes)].filter((index) => index >= 0 && index < length).sort((one, other) => one - other);
}

/** Returns the offset of the rows in the scroll container, in pixels; updates when content above them changes. */
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
