import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { openLine } from './open-line.ts';
import { storyClient } from './story-client.ts';
import type { ListRow, StoryView } from './story-desk.ts';
import classes from './story-list.module.css';
import { StoryMarks } from './story-marks.tsx';

interface StoryListProps {
  view: StoryView;
  /** Boxes to list. */
  count: number;
  /** Names the search whose matches are listed; null for all boxes. */
  search: string | null;
}

/** So many rows are asked for at once. */
const PAGE = 60;
const ROW_HEIGHT = 80;

/** The map as a list, in reading order: for the keyboard, for screen readers, and for the quick look. */
export function StoryList({ view, count, search }: StoryListProps) {
  const { t } = useTranslation('story');
  const scroller = useRef<HTMLUListElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const rows = useRows(view, search, { from: items[0]?.index ?? 0, to: (items.at(-1)?.index ?? 0) + 1 });
  return (
    <ul ref={scroller} className={classes.root} aria-label={t('title')}>
      <li aria-hidden style={{ height: items[0]?.start ?? 0 }} />
      {items.map(({ index }) => {
        const row = rows.get(index);
        return (
          <li
            key={row?.node.id ?? index}
            ref={virtual.measureElement}
            data-index={index}
            className={classes.item}
            aria-setsize={count}
            aria-posinset={index + 1}
          >
            {row ? <Row row={row} /> : <div className={classes.waiting} />}
          </li>
        );
      })}
      <li aria-hidden style={{ height: virtual.getTotalSize() - (items.at(-1)?.end ?? 0) }} />
    </ul>
  );
}

function Row({ row: { node, ways } }: { row: ListRow }) {
  const { t } = useTranslation('story');
  return (
    <>
      <button type="button" className={classes.scene} onClick={() => openLine(node)}>
        <span className={classes.title}>{node.title}</span>
        <StoryMarks marks={node.marks} />
        <span className={classes.note}>{node.note}</span>
        {node.opening && <span className={classes.opening}>{node.opening}</span>}
      </button>
      {ways.length > 0 && (
        <ul className={classes.ways} aria-label={t('waysOf', { title: node.title })}>
          {ways.map(({ edge, to }) => (
            <li key={edge.id}>
              <button type="button" className={classes.way} onClick={() => openLine(edge)}>
                {[t('leadsTo', { to }), ...edge.lines].join(' · ')}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The rows in sight by their place, asked for page by page. */
function useRows(
  view: StoryView,
  search: string | null,
  { from, to }: { from: number; to: number },
): ReadonlyMap<number, ListRow> {
  const [rows, setRows] = useState<ReadonlyMap<number, ListRow>>(new Map());
  const [first, last] = [Math.floor(from / PAGE), Math.ceil(to / PAGE)];
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new view is another story
  useEffect(() => {
    if (search === '') return;
    let isWanted = true;
    void storyClient()
      .call('rows', { from: first * PAGE, to: last * PAGE, isFound: search !== null })
      .then(
        (found) => isWanted && setRows(new Map(found.map((row, at) => [first * PAGE + at, row]))),
        () => undefined,
      );
    return () => {
      isWanted = false;
    };
  }, [view, search, first, last]);
  return rows;
}
