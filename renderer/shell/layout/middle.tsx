import { lazy, Suspense, useDeferredValue, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { EditorPanel } from '../../editor/editor-panel.tsx';
import { ProblemsPanel } from '../../problems/problems-panel.tsx';
import { useNavigation } from '../../state/navigation.ts';
import { VIEW_DECLARATIONS } from '../views.ts';
import classes from './middle.module.css';
import { Region } from './region.tsx';
import { RegionBoundary } from './region-boundary.tsx';
import { useKeptFocus } from './use-kept-focus.ts';

const DECLARED = Object.values(VIEW_DECLARATIONS);

/** The components of the views that are loaded lazily, after the window is shown. */
const COMPONENTS = new Map(
  DECLARED.flatMap(({ id, load }) => (load ? [[id, lazy(async () => ({ default: await load() }))]] : [])),
);

/** Delay until the views are prefetched, so that opening one needs no loading. */
const FETCH_AFTER_MS = 1500;

function useFetchedViews(): void {
  useEffect(() => {
    // A failed fetch is retried when the view is opened.
    const fetchAll = () => DECLARED.map(({ load }) => load?.().catch(() => undefined));
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
  const ShownView = COMPONENTS.get(view);
  const region = useRef<HTMLElement>(null);
  useFetchedViews();
  useKeptFocus(view, region);
  return (
    <Region ref={region} id="region-middle" label={`${t('regions.middle')} · ${t(VIEW_DECLARATIONS[view].title)}`}>
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
