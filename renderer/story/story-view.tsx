import { SegmentedControl, TextInput } from '@mantine/core';
import { IconSearch, IconSitemap } from '@tabler/icons-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useProject } from '../project/project-store.ts';
import { describeError } from '../ui/describe-error.ts';
import { Message } from '../ui/message.tsx';
import { PaneHeader } from '../ui/pane-header.tsx';
import { StoryExport } from './story-export.tsx';
import { StoryList } from './story-list.tsx';
import { type Detail, findNodes } from './story-map.ts';
import { type StoryState, storyStore, useStory } from './story-store.ts';
import classes from './story-view.module.css';
import { useStoryMap } from './use-story-map.ts';

const StoryCanvas = lazy(() => import('./story-canvas.tsx').then((module) => ({ default: module.StoryCanvas })));

/** Where the story leads: scenes and choices as a map, or as a list. */
export function StoryView() {
  const { t, i18n } = useTranslation('story');
  const shape = useStory((state) => state.shape);
  const projectId = useProject((state) => state.project?.id);
  const { detail, story, map, placed, error } = useStoryMap(useStory((state) => state.detail));
  const [search, setSearch] = useState('');
  const [turn, setTurn] = useState(0);
  const matches = useMemo(() => findNodes(map?.nodes ?? [], search), [map, search]);
  const found = useMemo(() => new Set(matches.map(({ id }) => id)), [matches]);
  const isSearching = search.trim() !== '';
  const focused = matches[turn % Math.max(1, matches.length)]?.id ?? null;

  const number = new Intl.NumberFormat(i18n.language);
  const note =
    story &&
    [
      t('scenes', { count: story.graph.scenes.length }),
      t('words', { count: story.graph.words, formatted: number.format(story.graph.words) }),
    ].join(' · ');
  const isEmpty = map?.nodes.length === 0;
  return (
    <>
      <PaneHeader title={t('title')} note={note ?? undefined}>
        {placed && !isEmpty && <StoryExport placed={placed} />}
      </PaneHeader>
      <div className={classes.bar}>
        <TextInput
          className={classes.search ?? ''}
          aria-label={t('search')}
          placeholder={t('search')}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            setTurn(0);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) setTurn(turn + 1);
          }}
        />
        <span className={classes.count} role="status">
          {isSearching && (matches.length === 0 ? t('noMatch') : t('matches', { count: matches.length }))}
        </span>
        <SegmentedControl
          aria-label={t('detail.label')}
          value={detail}
          data={(['scenes', 'passages'] as const).map((value) => ({ value, label: t(`detail.${value}`) }))}
          onChange={(value) => storyStore.setState({ detail: value as Detail })}
        />
        <SegmentedControl
          aria-label={t('shape.label')}
          value={shape}
          data={(['map', 'list'] as const).map((value) => ({ value, label: t(`shape.${value}`) }))}
          onChange={(value) => storyStore.setState({ shape: value as StoryState['shape'] })}
        />
      </div>
      {isEmpty && <Message icon={<IconSitemap size={22} stroke={1.5} />} text={t('empty')} hint={t('emptyHint')} />}
      {map && !isEmpty && shape === 'list' && <StoryList map={map} nodes={isSearching ? matches : map.nodes} />}
      {!isEmpty && shape === 'map' && error !== null && (
        <Message tone="error" text={t('failed')} hint={describeError(error, t)} />
      )}
      {error === null && (!map || (shape === 'map' && !placed)) && <Message text={t('common:loading')} />}
      {placed && !isEmpty && shape === 'map' && error === null && (
        <div className={classes.canvas}>
          <Suspense fallback={<Message text={t('common:loading')} />}>
            <StoryCanvas
              key={`${projectId} ${placed.detail}`}
              placed={placed}
              placeKey={`${projectId} ${placed.detail}`}
              found={found}
              focused={focused}
            />
          </Suspense>
        </div>
      )}
    </>
  );
}
