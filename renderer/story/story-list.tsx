import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { VirtualList } from '../ui/virtual-list.tsx';
import { StoryMarks } from './canvas/story-marks.tsx';
import { openLine } from './open-line.ts';
import { storyClient } from './story-client.ts';
import type { ListRow, StoryView } from './story-desk.ts';
import classes from './story-list.module.css';

interface StoryListProps {
  view: StoryView;
  /** Boxes to list. */
  count: number;
  /** Names the search whose matches are listed; null for all boxes. */
  search: string | null;
}

/** So many rows are asked for at once. */
const PAGE = 60;

/** The map as a list, in reading order: for the keyboard, for screen readers, and for the quick look. */
export function StoryList({ view, count, search }: StoryListProps) {
  const { t } = useTranslation('story');
  const scroller = useRef<HTMLDivElement>(null);
  const places = useMemo(() => Array.from({ length: count }, (_, index) => index), [count]);
  const { rowAt, want } = useRows(view, search);
  return (
    <div ref={scroller} className={classes.root}>
      <div>
        <VirtualList items={places} label={t('title')} className={classes.list} scroller={scroller}>
          {(index) => {
            const row = rowAt(index);
            return <ListedRow key={row?.node.id ?? index} index={index} row={row} want={want} />;
          }}
        </VirtualList>
      </div>
    </div>
  );
}

interface ListedRowProps {
  index: number;
  /** Undefined until it has come. */
  row: ListRow | undefined;
  want: (index: number) => void;
}

function ListedRow({ index, row, want }: ListedRowProps) {
  useEffect(() => want(index), [index, want]);
  return <div className={classes.item}>{row ? <Row row={row} /> : <div className={classes.waiting} />}</div>;
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

interface Rows {
  rowAt(index: number): ListRow | undefined;
  /** Asks for the page that a row stands on, once. */
  want: (index: number) => void;
}

/** The rows by their place, asked for page by page. Those of the story before stay until the new ones have come. */
function useRows(view: StoryView, search: string | null): Rows {
  const [pages, setPages] = useState<ReadonlyMap<number, readonly ListRow[]>>(new Map());
  /** The pages asked for, of one story and search. */
  const asked = useRef(new Set<number>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new view is another story
  const want = useMemo(() => {
    const own = new Set<number>();
    asked.current = own;
    return (index: number) => {
      const page = Math.floor(index / PAGE);
      if (search === '' || own.has(page)) return;
      own.add(page);
      void storyClient()
        .call('rows', { from: page * PAGE, to: (page + 1) * PAGE, isFound: search !== null })
        .then(
          (found) => {
            if (asked.current === own) setPages((before) => new Map(before).set(page, found));
          },
          () => own.delete(page),
        );
    };
  }, [view, search]);
  return { rowAt: (index) => pages.get(Math.floor(index / PAGE))?.[index % PAGE], want };
}
