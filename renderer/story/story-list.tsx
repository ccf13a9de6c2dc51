import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toStoryWords } from '../../shared/script/story/story-lines.ts';
import { language } from '../state/language/language.ts';
import type { QuotedLine } from '../state/language/operations/story-operations.ts';
import { VirtualList } from '../ui/list/virtual-list.tsx';
import { showFile, showText } from '../workflows/show-file.ts';
import { StoryMarks } from './canvas/story-marks.tsx';
import { storyClient } from './story-client.ts';
import classes from './story-list.module.css';
import type { ListRow, StoryView } from './story-operations.ts';
import { storyStore, useStory } from './story-store.ts';
import { useUnplayed } from './unplayed/use-unplayed.ts';

interface StoryListProps {
  view: StoryView;
  /** Number of rows. */
  count: number;
  /** The search whose matches are listed, with a key that is '' until they are known; null lists all nodes. */
  search: { key: string; text: string } | null;
}

/** Rows per request. */
const PAGE_SIZE = 60;

/** The map as a list in reading order, for keyboard and screen reader users. */
export function StoryList({ view, count, search }: StoryListProps) {
  const { t } = useTranslation('story');
  const scroller = useRef<HTMLDivElement>(null);
  const places = useMemo(() => Array.from({ length: count }, (_, index) => index), [count]);
  const { rowAt, want } = useRows(view, search);
  const opened = useStory((state) => state.opened);
  /** The row that was opened last; -1 for none in this list. */
  const last = search && search.key !== '' && opened?.search === search.key ? opened.row : -1;
  return (
    <div ref={scroller} className={classes.root}>
      <div>
        <VirtualList items={places} label={t('title')} className={classes.list} scroller={scroller} current={last}>
          {(index) => {
            const row = rowAt(index);
            const open = () => storyStore.setState({ opened: search && { search: search.key, row: index } });
            return (
              <ListedRow
                key={row ? `${row.node.id} ${row.line ?? ''}` : index}
                index={index}
                row={row}
                want={want}
                isLast={index === last}
                onOpen={open}
              />
            );
          }}
        </VirtualList>
      </div>
    </div>
  );
}

interface ListedRowProps {
  index: number;
  /** Undefined until loaded. */
  row: ShownRow | undefined;
  want: (index: number) => void;
  /** True for the one that was opened last. */
  isLast: boolean;
  onOpen: () => void;
}

function ListedRow({ index, row, want, isLast, onOpen }: ListedRowProps) {
  useEffect(() => want(index), [index, want]);
  if (row?.quote) {
    return <FoundLine node={row.node} line={row.line ?? 1} quote={row.quote} isLast={isLast} onOpen={onOpen} />;
  }
  return <div className={classes.item}>{row ? <Row row={row} /> : <div className={classes.waiting} />}</div>;
}

interface FoundLineProps {
  node: ListRow['node'];
  line: number;
  quote: QuotedLine;
  isLast: boolean;
  onOpen: () => void;
}

/** A line that the search found; opens it with the found word selected. */
function FoundLine({ node, line, quote, isLast, onOpen }: FoundLineProps) {
  const { before, match, after, column } = quote;
  return (
    <button
      type="button"
      className={classes.found}
      aria-current={isLast || undefined}
      onClick={() => {
        onOpen();
        showText(node.path, { line, column, length: match.length });
      }}
    >
      <span className={classes.number}>{line}</span>
      <bdi className={classes.quote}>
        {before}
        <mark className={classes.match}>{match}</mark>
        {after}
      </bdi>
    </button>
  );
}

function Row({ row: { node, ways } }: { row: ListRow }) {
  const { t } = useTranslation('story');
  const unplayed = useUnplayed(node);
  return (
    <>
      <button type="button" className={classes.scene} onClick={() => showFile(node.path, node.line)}>
        <span className={classes.title}>{node.title}</span>
        <StoryMarks marks={node.marks} />
        <span className={classes.note}>{[unplayed?.text, node.note].filter(Boolean).join(' · ')}</span>
        {node.opening && <span className={classes.opening}>{node.opening}</span>}
      </button>
      {ways.length > 0 && (
        <ul className={classes.ways} aria-label={t('waysOf', { title: node.title })}>
          {ways.map(({ edge, to }) => (
            <li key={edge.id}>
              <button type="button" className={classes.way} onClick={() => showFile(edge.path, edge.line)}>
                {[t('leadsTo', { to }), ...edge.lines].join(' · ')}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** A row, with the text of a found line. */
interface ShownRow extends ListRow {
  quote?: QuotedLine | undefined;
}

interface Rows {
  rowAt(index: number): ShownRow | undefined;
  /** Requests the page of a row once. */
  want: (index: number) => void;
}

/** Loads rows page by page. Rows of the previous story stay until the new ones are loaded. */
function useRows(view: StoryView, search: StoryListProps['search']): Rows {
  const key = search?.key ?? null;
  const [pages, setPages] = useState<ReadonlyMap<number, readonly ShownRow[]>>(new Map());
  /** Requested pages of the current story and search. */
  const asked = useRef(new Set<number>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new view invalidates the pages
  const want = useMemo(() => {
    const own = new Set<number>();
    asked.current = own;
    return (index: number) => {
      const page = Math.floor(index / PAGE_SIZE);
      if (key === '' || own.has(page)) return;
      own.add(page);
      void storyClient()
        .call('rows', { from: page * PAGE_SIZE, to: (page + 1) * PAGE_SIZE, isFound: key !== null })
        .then((rows) => (search === null ? rows : quoteFound(rows, search.text)))
        .then(
          (found) => {
            if (asked.current === own) setPages((before) => new Map(before).set(page, found));
          },
          () => own.delete(page),
        );
    };
  }, [view, key]);
  return { rowAt: (index) => pages.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE], want };
}

/** Adds the texts of the lines that the search found. */
async function quoteFound(rows: readonly ListRow[], text: string): Promise<readonly ShownRow[]> {
  const places = rows.flatMap(({ node, line }) => (line === null ? [] : [{ path: node.path, line }]));
  if (places.length === 0) return rows;
  const quotes = await language().call('quoteLines', { places, words: toStoryWords(text) });
  return rows.map((row) => (row.line === null ? row : { ...row, quote: quotes.shift() }));
}
