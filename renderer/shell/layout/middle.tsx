import { type ComponentType, lazy, Suspense, useDeferredValue, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { EditorPanel } from '../../editor/editor-panel.tsx';
import { ProblemsPanel } from '../../problems/problems-panel.tsx';
import { useNavigation, type View } from '../../state/navigation.ts';
import classes from './middle.module.css';
import { Region } from './region.tsx';
import { RegionBoundary } from './region-boundary.tsx';

type Side = Exclude<View, 'write'>;

/** Views that are loaded lazily, after the window is shown. */
const LOAD: Record<Side, () => Promise<ComponentType>> = {
  review: async () => (await import('../../review/review-panel.tsx')).ReviewPanel,
  project: async () => (await import('../../project/project-view.tsx')).ProjectView,
  history: async () => (await import('../../history/history-view.tsx')).HistoryView,
  settings: async () => (await import('../../settings/settings-view.tsx')).SettingsView,
  story: async () => (await import('../../story/story-view.tsx')).StoryView,
  record: async () => (await import('../../record/record-view.tsx')).RecordView,
};

const toLazy = (view: Side) => lazy(async () => ({ default: await LOAD[view]() }));

const VIEW: Record<Side, ComponentType> = {
  review: toLazy('review'),
  project: toLazy('project'),
  history: toLazy('history'),
  settings: toLazy('settings'),
  story: toLazy('story'),
  record: toLazy('record'),
};

/** Delay until the views are prefetched, so that opening one needs no loading. */
const FETCH_AFTER_MS = 1500;

function useFetchedViews(): void {
  useEffect(() => {
    // A failed fetch is retried when the view is opened.
    const fetchAll = () => Object.values(LOAD).map((load) => load().catch(() => undefined));
    const timer = setTimeout(fetchAll, FETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}

/**
 * The pane between the assistant and the stage. The editor stays mounted behind the other views, to keep its scroll and
 * cursor position.
 */
export function Middle() {
  const { t } = useTranslation('shell');
  // A new view is rendered in the background before it replaces the old one, so that a large view does not block input.
  // The editor is already mounted and must get the focus immediately.
  const asked = useNavigation((state) => state.view);
  const drawn = useDeferredValue(asked);
  const view = asked === 'write' ? asked : drawn;
  const ShownView = view === 'write' ? null : VIEW[view];
  useFetchedViews();
  return (
    <Region id="region-middle" label={`${t('regions.middle')} · ${t(`view.${view}`)}`}>
      <div className={classes.write} data-away={view !== 'write' || undefined}>
        <EditorPanel problems={<ProblemsPanel />} />
      </div>
      {ShownView && (
        <RegionBoundary key={view}>
          <Suspense>
            <ShownView />
          </Suspense>
        </RegionBoundary>
      )}
    </Region>
  );
}
