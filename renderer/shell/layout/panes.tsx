import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Group, type Layout, Panel, Separator, usePanelRef } from 'react-resizable-panels';
import { ChatPanel } from '../../chat/chat-panel.tsx';
import { ProjectTree } from '../../project/project-tree.tsx';
import { StagePanel } from '../../stage/stage-panel.tsx';
import { keepLayout, navigationStore, setAssistantOpen, setStageOpen, useNavigation } from '../../state/navigation.ts';
import { Middle } from './middle.tsx';
import classes from './panes.module.css';
import { Region } from './region.tsx';

interface SidePanelProps {
  id: string;
  isOpen: boolean;
  onFold: (isOpen: boolean) => void;
  defaultSize: string;
  minSize: number;
  children: ReactNode;
}

/** A collapsible side panel; collapses by its button or by dragging its edge. */
function SidePanel({ id, isOpen, onFold, defaultSize, minSize, children }: SidePanelProps) {
  const panel = usePanelRef();
  useEffect(() => {
    if (!panel.current || panel.current.isCollapsed() === !isOpen) return;
    if (isOpen) panel.current.expand();
    else panel.current.collapse();
  }, [panel, isOpen]);
  return (
    <Panel
      id={id}
      panelRef={panel}
      collapsible
      collapsedSize={0}
      defaultSize={defaultSize}
      minSize={minSize}
      onResize={({ inPixels }, _, before) => {
        if (before) onFold(inPixels > 0);
      }}
    >
      <div hidden={!isOpen} style={{ height: '100%' }}>
        {children}
      </div>
    </Panel>
  );
}

const keep = (group: string) => (layout: Layout, meta: { isUserInteraction: boolean }) => {
  if (meta.isUserInteraction) keepLayout(group, layout);
};

/** The three panes: the assistant, the middle, and the stage with the scenes below it. */
export function Panes() {
  const { t } = useTranslation('shell');
  const isAssistantOpen = useNavigation((state) => state.isAssistantOpen);
  const isStageOpen = useNavigation((state) => state.isStageOpen);
  const { layouts } = navigationStore.getState();
  return (
    <Group className={classes.root} defaultLayout={layouts.columns} onLayoutChanged={keep('columns')}>
      <SidePanel id="assistant" isOpen={isAssistantOpen} onFold={setAssistantOpen} defaultSize="25%" minSize={272}>
        <Region id="region-assistant" label={t('regions.assistant')}>
          <ChatPanel />
        </Region>
      </SidePanel>
      <Separator className={classes.handle} aria-label={t('resizeAssistant')} />
      <Panel id="middle" minSize={340} defaultSize="41%">
        <Middle />
      </Panel>
      <Separator className={classes.handle} aria-label={t('resizeStage')} />
      <SidePanel id="stage-column" isOpen={isStageOpen} onFold={setStageOpen} defaultSize="34%" minSize={260}>
        <Group orientation="vertical" defaultLayout={layouts.stage} onLayoutChanged={keep('stage')}>
          <Panel id="stage" minSize={200} defaultSize="60%">
            <Region id="region-stage" label={t('regions.stage')}>
              <StagePanel />
            </Region>
          </Panel>
          <Separator className={classes.handle} aria-label={t('resizeFiles')} />
          <Panel id="files" minSize={120} defaultSize="40%">
            <Region id="region-files" label={t('regions.files')}>
              <ProjectTree />
            </Region>
          </Panel>
        </Group>
      </SidePanel>
    </Group>
  );
}
