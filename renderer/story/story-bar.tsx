import { ActionIcon, SegmentedControl, TextInput, Tooltip, UnstyledButton } from '@mantine/core';
import { IconReplace, IconSearch } from '@tabler/icons-react';
import { memo, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { setReplacing } from '../state/navigation.ts';
import { takeWantedSearch, wantedSearchStore } from '../state/wanted-search.ts';
import { MarkIcon } from './canvas/story-marks.tsx';
import type { Detail } from './layout/story-map.ts';
import type { StoryView } from './story-operations.ts';
import { type StoryQuery, type StoryState, setStoryQuery, storyStore, useStory } from './story-store.ts';
import classes from './story-view.module.css';
import { useStoryCount } from './use-story-count.ts';
import { type FoundStory, isSearch, toMatchIndex } from './use-story-search.ts';

interface StoryBarProps {
  view: StoryView | null;
  query: StoryQuery;
  onQuery(query: StoryQuery): void;
  /** The matches; null without a search or until known. */
  found: FoundStory['found'];
}

/** Search, marks, number of matches, and what a box stands for. */
export const StoryBar = memo(function StoryBar({ view, query, onQuery, found }: StoryBarProps) {
  const { t } = useTranslation('story');
  const { format } = useStoryCount();
  const { text, mark, turn } = query;
  const field = useRef<HTMLInputElement>(null);
  const isReady = view !== null;
  const isWanted = useStore(wantedSearchStore, (state) => state.isWanted);
  useEffect(() => {
    if (!isWanted || !isReady) return;
    const asked = takeWantedSearch();
    // The list shows the lines, the map only where they are.
    storyStore.setState({ shape: 'list' });
    if (asked === null) field.current?.select();
    else {
      // What is typed next follows it.
      field.current?.focus();
      setStoryQuery({ text: asked, mark: null, turn: 0 });
    }
  }, [isWanted, isReady]);
  const marks = (view?.marks ?? []).filter((one) => one.mark !== 'start');
  return (
    // An empty story has no search.
    <div className={classes.bar} hidden={view?.boxes === 0}>
      <TextInput
        ref={field}
        className={classes.search ?? ''}
        aria-label={t('search')}
        placeholder={t('search')}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={text}
        onChange={(event) => onQuery({ text: event.currentTarget.value, mark, turn: 0 })}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') onQuery({ text, mark, turn: turn + (event.shiftKey ? -1 : 1) });
          if (event.key === 'Escape') onQuery({ text: '', mark, turn });
        }}
      />
      <Tooltip label={t('project:replace.open')}>
        <ActionIcon aria-label={t('project:replace.open')} onClick={() => setReplacing(true)}>
          <IconReplace size={16} stroke={1.7} />
        </ActionIcon>
      </Tooltip>
      {marks.map(({ mark: kind, count }) => (
        <UnstyledButton
          key={kind}
          className={classes.chip}
          data-mark={kind}
          aria-pressed={mark === kind}
          title={t(`legend.mark.${kind}`)}
          onClick={() => onQuery({ text, mark: mark === kind ? null : kind, turn: 0 })}
        >
          <MarkIcon mark={kind} />
          <span>{t(`mark.${kind}`)}</span> {format(count)}
        </UnstyledButton>
      ))}
      <span className={classes.count} role="status">
        {isSearch(query) && found && <Matches found={found} turn={turn} />}
      </span>
      <SegmentedControl
        size="xs"
        aria-label={t('detail.label')}
        value={view?.detail ?? 'scenes'}
        data={(['scenes', 'passages'] as const).map((value) => ({ value, label: t(`detail.${value}`) }))}
        onChange={(value) => storyStore.setState({ detail: value as Detail, open: null })}
      />
    </div>
  );
});

function Matches({ found, turn }: { found: NonNullable<FoundStory['found']>; turn: number }) {
  const { t } = useTranslation('story');
  const { format, count } = useStoryCount();
  if (found.boxes === 0) return t('noMatch');
  const at = toMatchIndex(turn, found.boxes);
  const boxes = t('matches', { count: found.boxes, formatted: format(found.boxes), turn: format(at + 1) });
  return found.lines > 0 ? `${boxes} · ${count('lines', found.lines)}` : boxes;
}

const SHAPES: readonly StoryState['shape'][] = ['map', 'list'];

/** How the story is drawn. */
export function StoryShape() {
  const { t } = useTranslation('story');
  const shape = useStory((state) => state.shape);
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('shape.label')}
      value={shape}
      data={SHAPES.map((value) => ({ value, label: t(`shape.${value}`) }))}
      onChange={(value) => storyStore.setState({ shape: value })}
    />
  );
}
