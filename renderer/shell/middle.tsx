import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { EditorPanel } from '../editor/editor-panel.tsx';
import { HistoryView } from '../history/history-view.tsx';
import { ProjectView } from '../project/project-view.tsx';
import { RecordView } from '../record/record-view.tsx';
import { ReviewPanel } from '../review/review-panel.tsx';
import { SettingsView } from '../settings/settings-view.tsx';
import { StoryView } from '../story/story-view.tsx';
import { Region } from '../ui/region.tsx';
import { RegionBoundary } from '../ui/region-boundary.tsx';
import { useShell, type View } from './shell-store.ts';

const VIEW: Record<Exclude<View, 'write'>, ReactElement> = {
  review: <ReviewPanel />,
  project: <ProjectView />,
  history: <HistoryView />,
  settings: <SettingsView />,
  story: <StoryView />,
  record: <RecordView />,
};

/**
 * What stands between the assistant and the stage. The text stays mounted behind the other views, so that nobody loses
 * the place where she was.
 */
export function Middle() {
  const { t } = useTranslation('shell');
  const view = useShell((state) => state.view);
  return (
    <Region id="region-middle" label={`${t('regions.middle')} · ${t(`view.${view}`)}`}>
      <div hidden={view !== 'write'} style={{ height: '100%', minHeight: 0 }}>
        <EditorPanel />
      </div>
      {view !== 'write' && <RegionBoundary key={view}>{VIEW[view]}</RegionBoundary>}
    </Region>
  );
}
