import { Button } from '@mantine/core';
import { IconSitemap } from '@tabler/icons-react';
import { lazy, Suspense, startTransition, useDeferredValue, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toReadingTime } from '../../shared/script/story/outline.ts';
import { useProject } from '../state/project/project-store.ts';
import { Message } from '../ui/message.tsx';
import { PaneHeader } from '../ui/pane-header.tsx';
import { describeError } from '../ui/text/describe-error.ts';
import { StoryExport } from './export/story-export.tsx';
import { OpenChapters } from './open-chapters.tsx';
import { StoryBar, StoryShape } from './story-bar.tsx';
import { StoryList } from './story-list.tsx';
import { setStoryQuery, useStory } from './story-store.ts';
import classes from './story-view.module.css';
import { useStoryCount } from './use-story-count.ts';
import { useStoryMap } from './use-story-map.ts';
import { isSearch, useStorySearch } from './use-story-search.ts';
import { useWantedScene } from './use-wanted-scene.ts';

const StoryCanvas = lazy(() => import('./canvas/story-canvas.tsx').then((module) => ({ default: module.StoryCanvas })));

/** The story view: scenes and choices as a map or as a list. */
export function StoryView() {
  const projectId = useProject((state) => state.project?.id);
  return <StoryOfGame key={projectId} projectId={projectId} />;
}

function StoryOfGame({ projectId }: { projectId: string | undefined }) {
  const { t } = useTranslation('story');
  const { count } = useStoryCount();
  const isMap = useStory((state) => state.shape === 'map');
  const { view, here, error, isStopped, setStopped } = useStoryMap(projectId);
  useWantedScene(view);
  const query = useStory((state) => state.query);
  const { found, highlights, focused } = useStorySearch(view, query);
  const isSearching = isSearch(query);
  // Deferred: another map takes longer to render than a frame.
  const placed = useDeferredValue(view?.placed ?? null);
  // The map follows what is around it: together they take longer than a frame.
  const [isMapInTurn, setMapInTurn] = useState(false);
  useEffect(() => startTransition(() => setMapInTurn(true)), []);
  const time = toReadingTime(view?.words ?? 0);
  const note =
    view &&
    view.boxes > 0 &&
    [count('scenes', view.scenes), count('words', view.words), count(time.unit, time.count)].join(' · ');
  const isEmpty = view?.boxes === 0;
  return (
    <>
      <PaneHeader title={t('title')} note={note || undefined}>
        {!isEmpty && <StoryShape />}
        {placed && !isEmpty && <StoryExport boxes={view?.boxes ?? 0} />}
      </PaneHeader>
      <StoryBar view={view} query={query} onQuery={setStoryQuery} found={found} />
      {isEmpty && <Message icon={<IconSitemap size={22} stroke={1.5} />} text={t('empty')} hint={t('emptyHint')} />}
      {view && !isEmpty && isMap && view.open.length > 0 && <OpenChapters open={view.open} />}
      {view && !isEmpty && !isMap && (
        <StoryList
          view={view}
          count={isSearching ? (found?.boxes ?? 0) + (found?.lines ?? 0) : view.boxes}
          search={isSearching ? { key: found?.search ?? '', text: query.text } : null}
        />
      )}
      {!isEmpty && isMap && error !== null && (
        <Message tone="error" text={t('failed')} hint={describeError(error, t)} />
      )}
      {!view && error === null && <Placing isStopped={isStopped} onStop={setStopped} />}
      {placed?.isPlain && isMap && <p className={classes.plain}>{t('plain')}</p>}
      {placed && !isEmpty && isMap && isMapInTurn && error === null && (
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

/** The state before a first map is drawn, which the user can stop. */
function Placing({ isStopped, onStop }: { isStopped: boolean; onStop(isStopped: boolean): void }) {
  const { t } = useTranslation('story');
  return (
    <Message
      icon={<IconSitemap size={22} stroke={1.5} />}
      text={isStopped ? t('stopped') : t('placing')}
      {...(isStopped && { hint: t('stoppedHint') })}
    >
      <Button variant="default" onClick={() => onStop(!isStopped)}>
        {t(isStopped ? 'drawAgain' : 'stop')}
      </Button>
    </Message>
  );
}
