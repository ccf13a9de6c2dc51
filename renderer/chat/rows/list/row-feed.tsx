import { type FocusEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChatState } from '../../../../shared/model/chat.ts';
import { type ContainerProps, type RowsHandle, VirtualRows } from '../../../ui/list/virtual-rows.tsx';
import type { ChatRow } from '../../chat-rows.ts';
import { ChatRowView } from '../chat-row.tsx';
import classes from './message-list.module.css';
import { useWantedRow } from './use-wanted-row.ts';

interface RowFeedProps {
  rows: readonly ChatRow[];
  chat: ChatState;
  viewport: RefObject<HTMLDivElement | null>;
  /** Called before a row that a search found is scrolled into view. */
  onFound: () => void;
}

/** The rows of a conversation as a feed. Invisible rows are not in the DOM, except those in use. */
export function RowFeed({ rows, chat, viewport, onFound }: RowFeedProps) {
  const { earlier } = chat;
  const [focused, setFocused] = useState<string | null>(null);
  const before = useRef(earlier);
  const handle = useRef<RowsHandle>(null);
  const wanted = useWantedRow({ rows, chat, viewport, handle, onFound });
  // Rows prepended above must not move the visible ones.
  const isFilling = earlier < before.current;
  useEffect(() => {
    before.current = earlier;
  }, [earlier]);
  const onFocus = (event: FocusEvent) => {
    setFocused(event.target.closest<HTMLElement>('[data-row-id]')?.dataset.rowId ?? null);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only tracks the focus
    <div onFocus={onFocus} onBlur={() => setFocused(null)}>
      <VirtualRows
        handle={handle}
        container={Feed}
        items={rows}
        scroller={viewport}
        isFilling={isFilling}
        kept={[...toKept(rows, focused), wanted]}
      >
        {(row, index) => (
          <article
            key={row.id}
            className={classes.row}
            data-row={kindOf(row)}
            data-row-id={row.id}
            tabIndex={-1}
            data-gap={toGap(rows[index - 1], row)}
            aria-posinset={earlier + index + 1}
            aria-setsize={earlier > 0 ? -1 : rows.length}
          >
            <ChatRowView row={row} />
          </article>
        )}
      </VirtualRows>
    </div>
  );
}

function Feed({ children, style, ref }: ContainerProps) {
  const { t } = useTranslation('chat');
  return (
    <div role="feed" aria-label={t('log')} style={style} ref={ref}>
      {children}
    </div>
  );
}

/** Returns rows that would lose state if unmounted: the focused row, and a question with a partly written answer. */
function toKept(rows: readonly ChatRow[], focused: string | null): number[] {
  const asked = rows.findLastIndex((row) => row.kind === 'item' && row.item.kind === 'question');
  const row = rows[asked];
  const isOpen = row?.kind === 'item' && row.item.kind === 'question' && row.item.answer === null;
  const used = focused === null ? -1 : rows.findIndex(({ id }) => id === focused);
  return [used, isOpen ? asked : -1];
}

const kindOf = (row: ChatRow): string => (row.kind === 'item' ? row.item.kind : row.kind);

/** Returns the spacing between a row and the one above. */
function toGap(above: ChatRow | undefined, row: ChatRow): 'none' | 'small' | 'usual' | 'large' {
  if (!above) return 'none';
  if (row.kind === 'item' && row.part && row.part.index > 0) return 'none';
  if (kindOf(row) === 'user') return 'large';
  const isWork = (each: ChatRow) => each.kind === 'fold' || (each.kind === 'item' && each.item.kind === 'tool');
  return isWork(above) && isWork(row) ? 'small' : 'usual';
}
