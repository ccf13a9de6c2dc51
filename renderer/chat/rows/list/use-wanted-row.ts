import { type RefObject, useEffect, useState } from 'react';
import type { ChatState } from '../../../../shared/model/chat.ts';
import { chatStore, useChat } from '../../../state/chat/chat-store.ts';
import type { RowsHandle } from '../../../ui/list/virtual-rows.tsx';
import type { ChatRow } from '../../chat-rows.ts';

/** Frames to wait until the row is measured and can receive the focus; its neighbours are measured meanwhile. */
const FRAMES = 40;

interface WantedRowOptions {
  rows: readonly ChatRow[];
  chat: ChatState;
  viewport: RefObject<HTMLElement | null>;
  handle: RefObject<RowsHandle | null>;
  onFound: () => void;
}

/** Scrolls to the row that a search found, once it is loaded, and focuses it. Returns its index; -1 without one. */
export function useWantedRow({ rows, chat, viewport, handle, onFound }: WantedRowOptions): number {
  const wanted = useChat((state) => (state.wantedRow?.session === chat.session ? state.wantedRow : null));
  const [shown, setShown] = useState<string | null>(null);
  const index = wanted ? findRow(rows, wanted) : -1;
  const found = rows[index]?.id ?? null;
  useEffect(() => {
    if (wanted === null) return;
    if (found !== null) {
      setShown(found);
      chatStore.setState({ wantedRow: null });
    } else if (chat.earlier === 0) chatStore.setState({ wantedRow: null });
  }, [wanted, found, chat.earlier]);

  const place = shown === null ? -1 : rows.findIndex(({ id }) => id === shown);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that are added later must not scroll again
  useEffect(() => {
    if (shown === null) return;
    onFound();
    let frame = 0;
    let hasFocus = false;
    const step = (left: number) => {
      const row = viewport.current?.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(shown)}"]`);
      // The user went on.
      const isLeft = hasFocus && document.activeElement !== row;
      if (left === 0 || isLeft) {
        setShown(null);
        return;
      }
      handle.current?.scrollToIndex(place, { align: 'center' });
      if (!hasFocus) row?.focus({ preventScroll: true });
      hasFocus ||= row !== undefined && row !== null && document.activeElement === row;
      frame = requestAnimationFrame(() => step(left - 1));
    };
    step(FRAMES);
    return () => cancelAnimationFrame(frame);
  }, [shown]);
  return place;
}

/** Returns the row of an item. A long answer has several: the first that contains what was found. */
function findRow(rows: readonly ChatRow[], { row, match }: { row: string; match: string }): number {
  const isOf = (each: ChatRow): boolean =>
    each.kind === 'item' ? each.item.id === row : each.items.some(({ id }) => id === row);
  const holds = (each: ChatRow): boolean =>
    each.kind === 'item' && each.part?.blocks.some(({ text }) => text.includes(match)) === true;
  const exact = rows.findIndex((each) => isOf(each) && holds(each));
  return exact >= 0 ? exact : rows.findIndex(isOf);
}
