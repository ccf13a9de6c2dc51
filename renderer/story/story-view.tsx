import { Button, SegmentedControl, TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch, IconSitemap } from '@tabler/icons-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditor } from '../editor/editor-store.ts';
import { useProject } from '../project/project-store.ts';
import { describeError } from '../ui/describe-error.ts';
import { Message } from '../ui/message.tsx';
import { PaneHeader } from '../ui/pane-header.tsx';
import { StoryExport } from './story-export.tsx';
import { StoryList } from './story-list.tsx';
import { countMarks, type Detail, findNodeAt, findNodes, type Mark } from './story-map.ts';
import { MarkIcon } from './story-marks.tsx';
import { type StoryState, storyStore, useStory } from './story-store.ts';
import classes from './story-view.module.css';
import { useStoryMap } from './use-story-map.ts';

const StoryCanvas = lazy(() => import('./story-canvas.tsx').then((module) => ({ default: module.StoryCanvas })));

/** More boxes than this take long enough to lay out that she is told, and can stop it. */
const MANY = 300;

/** Where the story leads: scenes and choices as a map, or as a list. */
export function StoryView() {
  const projectId = useProject((state) => state.project?.id);
  return <StoryOfGame key={projectId} projectId={projectId} />;
}

function StoryOfGame({ projectId }: { projectId: string | undefined }) {
  const { t, i18n } = useTranslation('story');
  const shape = useStory((state) => state.shape);
  const { detail, story, map, placed, error, isStopped, setStopped } = useStoryMap(useStory((state) => state.detail));
  const [search, setSearch] = useState('');
  const [turn, setTurn] = useState(0);
  const [mark, setMark] = useState<Mark | null>(null);
  const place = useEditor(({ active, cursor }) => (active ? `${cursor?.line ?? 1} ${active}` : ''));
  const matches = useMemo(() => findNodes(map?.nodes ?? [], search, mark), [map, search, mark]);
  const marks = useMemo(() => countMarks(map?.nodes ?? []).filter((one) => one.mark !== 'start'), [map]);
  const here = useMemo(() => {
    const [line = '', ...path] = place.split(' ');
    return map && findNodeAt(map.nodes, { path: path.join(' '), line: Number(line) });
  }, [map, place]);
  const found = useMemo(() => new Set(matches.map(({ id }) => id)), [matches]);
  const isSearching = search.trim() !== '' || mark !== null;
  const at = matches.length === 0 ? 0 : ((turn % matches.length) + matches.length) % matches.length;
  const focused = matches[at]?.id ?? null;

  const number = new Intl.NumberFormat(i18n.language);
  const note =
    story &&
    story.graph.nodes.length > 0 &&
    [
      t('scenes', { count: story.graph.scenes.length }),
      t('words', { count: story.graph.words, formatted: number.format(story.graph.words) }),
      t('minutes', { count: story.graph.readingMinutes, formatted: number.format(story.graph.readingMinutes) }),
    ].join(' · ');
  const isEmpty = map?.nodes.length === 0;
  return (
    <>
      <PaneHeader title={t('title')} note={note || undefined}>
        {placed && !isEmpty && <StoryExport placed={placed} />}
      </PaneHeader>
      {/* Of nothing there is nothing to search. */}
      <div className={classes.bar} hidden={isEmpty}>
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
            if (event.nativeEvent.isComposing) return;
            if (event.key === 'Enter') setTurn(turn + (event.shiftKey ? -1 : 1));
            if (event.key === 'Escape') setSearch('');
          }}
        />
        {marks.map(({ mark: kind, count }) => (
          <UnstyledButton
            key={kind}
            className={classes.chip}
            data-mark={kind}
            aria-pressed={mark === kind}
            title={t(`legend.mark.${kind}`)}
            onClick={() => {
              setMark(mark === kind ? null : kind);
              setTurn(0);
            }}
          >
            <MarkIcon mark={kind} />
            <span>{t(`mark.${kind}`)}</span> {number.format(count)}
          </UnstyledButton>
        ))}
        <span className={classes.count} role="status">
          {isSearching &&
            (matches.length === 0
              ? t('noMatch')
              : t('matches', { count: matches.length, turn: number.format(at + 1) }))}
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
      {error === null && !map && <Message text={t('common:loading')} />}
      {map && !isEmpty && shape === 'map' && !placed && error === null && (
        <Message
          icon={<IconSitemap size={22} stroke={1.5} />}
          text={
            isStopped
              ? t('stopped')
              : map.nodes.length > MANY
                ? t('placing', { count: map.nodes.length })
                : t('common:loading')
          }
          {...(isStopped && { hint: t('stoppedHint') })}
        >
          {(isStopped || map.nodes.length > MANY) && (
            <Button variant="default" onClick={() => setStopped(!isStopped)}>
              {t(isStopped ? 'drawAgain' : 'stop')}
            </Button>
          )}
        </Message>
      )}
      {placed?.isPlain && shape === 'map' && <p className={classes.plain}>{t('plain')}</p>}
      {placed && !isEmpty && shape === 'map' && error === null && (
        <div className={classes.canvas}>
          <Suspense fallback={<Message text={t('common:loading')} />}>
            <StoryCanvas
              key={`${projectId} ${placed.detail}`}
              placed={placed}
              placeKey={`${projectId} ${placed.detail}`}
              found={found}
              focused={focused}
              here={here?.id ?? null}
            />
          </Suspense>
        </div>
      )}
    </>
  );
}
