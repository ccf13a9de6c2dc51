import { Button, SegmentedControl, TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch, IconSitemap } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useProject } from '../state/project/project-store.ts';
import { Message } from '../ui/message.tsx';
import { PaneHeader } from '../ui/pane-header.tsx';
import { describeError } from '../ui/text/describe-error.ts';
import { MarkIcon } from './canvas/story-marks.tsx';
import { StoryExport } from './export/story-export.tsx';
import type { Detail, Mark } from './layout/story-map.ts';
import { OpenChapters } from './open-chapters.tsx';
import { StoryList } from './story-list.tsx';
import { type StoryState, storyStore, useStory } from './story-store.ts';
import classes from './story-view.module.css';
import { useStoryMap } from './use-story-map.ts';
import { useStorySearch } from './use-story-search.ts';

const StoryCanvas = lazy(() => import('./canvas/story-canvas.tsx').then((module) => ({ default: module.StoryCanvas })));

/** The story view: scenes and choices as a map or as a list. */
export function StoryView() {
  const projectId = useProject((state) => state.project?.id);
  return <StoryOfGame key={projectId} projectId={projectId} />;
}

function StoryOfGame({ projectId }: { projectId: string | undefined }) {
  const { t, i18n } = useTranslation('story');
  const shape = useStory((state) => state.shape);
  const { view, here, error, isStopped, setStopped } = useStoryMap(projectId);
  const [search, setSearch] = useState('');
  const [turn, setTurn] = useState(0);
  const [mark, setMark] = useState<Mark | null>(null);
  const { found, highlights, focused } = useStorySearch(view, { text: search, mark, turn });
  const isSearching = search.trim() !== '' || mark !== null;
  const placed = view?.placed ?? null;

  const number = new Intl.NumberFormat(i18n.language);
  const count = (key: 'scenes' | 'words' | 'minutes' | 'lines', value: number) =>
    t(key, { count: value, formatted: number.format(value) });
  const note =
    view &&
    view.boxes > 0 &&
    [count('scenes', view.scenes), count('words', view.words), count('minutes', view.minutes)].join(' · ');
  const isEmpty = view?.boxes === 0;
  const marks = (view?.marks ?? []).filter((one) => one.mark !== 'start');
  const at = found && found.boxes > 0 ? ((turn % found.boxes) + found.boxes) % found.boxes : 0;
  return (
    <>
      <PaneHeader title={t('title')} note={note || undefined}>
        {placed && !isEmpty && <StoryExport boxes={view?.boxes ?? 0} />}
      </PaneHeader>
      {/* An empty story has no search. */}
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
            found &&
            (found.boxes === 0
              ? t('noMatch')
              : [
                  t('matches', {
                    count: found.boxes,
                    formatted: number.format(found.boxes),
                    turn: number.format(at + 1),
                  }),
                  ...(found.lines > 0 ? [count('lines', found.lines)] : []),
                ].join(' · '))}
        </span>
        <SegmentedControl
          aria-label={t('detail.label')}
          value={view?.detail ?? 'scenes'}
          data={(['scenes', 'passages'] as const).map((value) => ({ value, label: t(`detail.${value}`) }))}
          onChange={(value) => storyStore.setState({ detail: value as Detail, open: null })}
        />
        <SegmentedControl
          aria-label={t('shape.label')}
          value={shape}
          data={(['map', 'list'] as const).map((value) => ({ value, label: t(`shape.${value}`) }))}
          onChange={(value) => storyStore.setState({ shape: value as StoryState['shape'] })}
        />
      </div>
      {isEmpty && <Message icon={<IconSitemap size={22} stroke={1.5} />} text={t('empty')} hint={t('emptyHint')} />}
      {view && !isEmpty && shape === 'map' && view.open.length > 0 && <OpenChapters open={view.open} />}
      {view && !isEmpty && shape === 'list' && (
        <StoryList
          view={view}
          count={isSearching ? (found?.boxes ?? 0) : view.boxes}
          search={isSearching ? (found?.search ?? '') : null}
        />
      )}
      {!isEmpty && shape === 'map' && error !== null && (
        <Message tone="error" text={t('failed')} hint={describeError(error, t)} />
      )}
      {!view && error === null && (
        <Message
          icon={<IconSitemap size={22} stroke={1.5} />}
          text={isStopped ? t('stopped') : t('placing')}
          {...(isStopped && { hint: t('stoppedHint') })}
        >
          <Button variant="default" onClick={() => setStopped(!isStopped)}>
            {t(isStopped ? 'drawAgain' : 'stop')}
          </Button>
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
              found={highlights}
              focused={focused}
              here={here}
            />
          </Suspense>
        </div>
      )}
    </>
  );
}
