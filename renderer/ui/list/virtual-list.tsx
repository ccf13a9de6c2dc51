import {
  createContext,
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { findTyped } from './find-typed.ts';
import { type ContainerProps, type RowProps, type RowsHandle, VirtualRows } from './virtual-rows.tsx';

/** Maximum number of frames to wait until a row is measured. */
const MAX_FRAMES = 20;
const NONE: readonly number[] = [];

interface VirtualListProps<Item> {
  items: readonly Item[];
  /** Accessible label of the list. */
  label?: string;
  className?: string | undefined;
  /** The scroll container; it can contain more than the list. */
  scroller: RefObject<HTMLElement | null>;
  /** Height of a row in pixels, if all rows have the same. */
  rowHeight?: number;
  /** The item to bring into view; -1 for none. */
  current?: number;
  /**
   * Makes the list a single tab stop at the item `current`; arrow keys, Home, End and typed letters move from there.
   * Returns the text to which typed letters are compared.
   */
  toText?: (item: Item) => string;
  /** Renders a row, with a key and at most one control that receives `tabIndex`. */
  children: (item: Item, tabIndex: 0 | -1 | undefined) => ReactElement;
}

/** Brings another current item into view, not one that a filter moved, unless the user is in the list. */
function useShownItem(
  { current, name }: { current: number; name: string | null },
  { handle, box }: { handle: RefObject<RowsHandle | null>; box: RefObject<HTMLElement | null> },
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another item is shown
  useEffect(() => {
    if (name === null || box.current?.contains(document.activeElement)) return;
    const frame = requestAnimationFrame(() => handle.current?.scrollToIndex(current, { align: 'nearest' }));
    return () => cancelAnimationFrame(frame);
  }, [name]);
}

interface ListFacts {
  id: string;
  label: string | undefined;
  className: string | undefined;
  size: number;
}

const Facts = createContext<ListFacts>({ id: '', label: undefined, className: undefined, size: 0 });

/** A list of any length that mounts only visible rows. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { items, label, className, scroller, rowHeight, toText, current = -1, children } = props;
  const id = useId();
  const handle = useRef<RowsHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const [used, setUsed] = useState<number | null>(null);
  /** The previously focused row: unmounting it too early would lose the focus. */
  const [left, setLeft] = useState<number | null>(null);
  /** The row to focus as soon as it is mounted. */
  const wanted = useRef<number | null>(null);
  /** True during a move between rows, when no element may have the focus for a moment. */
  const isMoving = useRef(false);
  const stop = Math.min(Math.max(0, used ?? current), items.length - 1);

  useEffect(() => {
    if (wanted.current === null || wanted.current !== used) return;
    wanted.current = null;
    handle.current?.scrollToIndex(used, { align: 'nearest' });
    let frame = 0;
    // A newly mounted row is hidden, and cannot be focused, until it is measured.
    const focus = (left: number) => {
      const control = controlAt(box.current, used);
      control?.focus({ preventScroll: true });
      const isDone = control && document.activeElement === control;
      if (!isDone && left > 0) frame = requestAnimationFrame(() => focus(left - 1));
      else {
        isMoving.current = false;
        setLeft(null);
      }
    };
    focus(MAX_FRAMES);
    return () => cancelAnimationFrame(frame);
  }, [used]);

  const shown = items[current];
  const name = shown === undefined ? null : (toText?.(shown) ?? String(current));
  useShownItem({ current, name }, { handle, box });

  const onKeyDown = (event: KeyboardEvent) => {
    const from = indexOf(event.target);
    if (!toText || from === null) return;
    const to = toTarget(event, { items, from, toText });
    if (to === null) return;
    event.preventDefault();
    if (to === from) return;
    wanted.current = to;
    isMoving.current = true;
    setLeft(from);
    setUsed(to);
  };

  return (
    <Facts value={{ id, label, className, size: items.length }}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only tracks the focus; the rows contain the controls */}
      <div
        ref={box}
        onKeyDown={onKeyDown}
        onFocus={(event) => setUsed(indexOf(event.target))}
        onBlur={(event) => {
          if (!isMoving.current && !event.currentTarget.contains(event.relatedTarget)) setUsed(null);
        }}
      >
        <VirtualRows
          handle={handle}
          container={List}
          row={Item}
          items={items}
          scroller={scroller}
          kept={toText || used !== null ? [stop, left ?? stop] : NONE}
          rowHeight={rowHeight}
        >
          {(item, index) => children(item, toText ? (index === stop ? 0 : -1) : undefined)}
        </VirtualRows>
      </div>
    </Facts>
  );
}

function List({ children, style, ref }: ContainerProps) {
  const { id, label, className } = useContext(Facts);
  return (
    <ul id={id} className={className} aria-label={label} style={style} ref={ref}>
      {children}
    </ul>
  );
}

function Item({ children, style, index, ref }: RowProps) {
  const { size } = useContext(Facts);
  return (
    <li style={style} ref={ref} data-index={index} aria-posinset={index + 1} aria-setsize={size}>
      {children}
    </li>
  );
}

function indexOf(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  return row?.dataset.index === undefined ? null : Number(row.dataset.index);
}

function controlAt(box: HTMLElement | null, index: number): HTMLElement | null | undefined {
  return box?.querySelector<HTMLElement>(`[data-index="${index}"] button`);
}

/** Returns the target index of a key; null for a key that the list does not handle. */
function toTarget<Item>(
  event: KeyboardEvent,
  { items, from, toText }: { items: readonly Item[]; from: number; toText: (item: Item) => string },
): number | null {
  const last = items.length - 1;
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  switch (event.key) {
    case 'ArrowDown':
      return Math.min(last, from + 1);
    case 'ArrowUp':
      return Math.max(0, from - 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return findTyped(items, { key: event.key, at: event.timeStamp, from, toText });
  }
}
