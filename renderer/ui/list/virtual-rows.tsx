import { type ReactElement, type RefObject, useDeferredValue, useEffect, useRef, useState } from 'react';
import {
  type CustomContainerComponentProps,
  type CustomItemComponentProps,
  Virtualizer,
  type VirtualizerHandle,
} from 'virtua';
import classes from './virtual-rows.module.css';

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

/**
 * Rows of unknown height are mounted one page above and below the visible ones, and not less far than this. Growth of a row above
 * the visible ones is compensated; a row that Page Up brings into view before it was measured would push others out of view.
 */
const MIN_BUFFER_PX = 200;

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
  const { startMargin, height } = usePlace(scroller, box);
  // The visible rows first: the others are rendered in slices between frames.
  const buffer = useDeferredValue(Math.max(MIN_BUFFER_PX, height), 0);
  return (
    <div ref={box} className={classes.rows}>
      <Virtualizer
        {...(handle && { ref: handle })}
        as={container}
        {...(row && { item: row })}
        data={items}
        scrollRef={scroller}
        startMargin={startMargin}
        shift={isFilling}
        keepMounted={toOrder(kept, items.length)}
        {...(rowHeight === undefined ? { bufferSize: buffer } : { itemSize: rowHeight })}
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

/** Returns the offset of the rows in the scroll container and its height, in pixels; updates when one of them changes. */
function usePlace(scroller: RefObject<HTMLElement | null>, box: RefObject<HTMLElement | null>) {
  const [startMargin, setStartMargin] = useState(0);
  const [height, setHeight] = useState(0);
  // Not a layout effect: a scroll container that is mounted together with its rows has no element then.
  useEffect(() => {
    const [outer, inner] = [scroller.current, box.current];
    if (!outer || !inner) return;
    const measure = () => {
      const top = inner.getBoundingClientRect().top - outer.getBoundingClientRect().top + outer.scrollTop;
      setStartMargin(Math.round(top));
      setHeight(outer.clientHeight);
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const element of [outer, ...outer.children]) observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, box]);
  return { startMargin, height };
}
