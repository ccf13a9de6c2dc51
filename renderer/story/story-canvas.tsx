import '@xyflow/react/dist/base.css';
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react';
import { Panel, ReactFlow, type ReactFlowInstance } from '@xyflow/react';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NODE, type PlacedMap } from './lay-out-story.ts';
import { openLine } from './open-line.ts';
import classes from './story-canvas.module.css';
import { StoryEdge, type StoryFlowEdge } from './story-edge.tsx';
import { type StoryFlowNode, StoryNode } from './story-node.tsx';
import { storyStore } from './story-store.ts';

interface StoryCanvasProps {
  placed: PlacedMap;
  /** Which game and detail this is. */
  placeKey: string;
  /** What a search found, and which of it stands in the middle. */
  found: ReadonlySet<string>;
  focused: string | null;
}

const NODE_TYPES = { story: StoryNode };
const EDGE_TYPES = { story: StoryEdge };
/** Smaller than this and nothing can be read. */
const LEGIBLE = 0.55;
const MARGIN = 0.06;
/** More boxes than this are drawn only where they are seen. */
const MANY = 300;

type Flow = ReactFlowInstance<StoryFlowNode, StoryFlowEdge>;

const moveTime = () => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 250);

/** All of it where that can be read, else the beginning. */
function showBeginning(flow: Flow, placed: PlacedMap): void {
  void flow.fitView({ padding: MARGIN, maxZoom: 1 }).then(() => {
    const first = placed.nodes[0];
    if (flow.getZoom() >= LEGIBLE || !first) return;
    void flow.setCenter(first.x + NODE.width / 2, first.y + NODE.height * 2.5, { zoom: 0.8 });
  });
}

/** The map itself: to be dragged, zoomed and clicked. */
export function StoryCanvas({ placed, placeKey, found, focused }: StoryCanvasProps) {
  const { t } = useTranslation('story');
  const [flow, setFlow] = useState<Flow | null>(null);
  const nodes = useMemo<StoryFlowNode[]>(
    () =>
      placed.nodes.map((node) => ({
        id: node.id,
        type: 'story',
        position: { x: node.x, y: node.y },
        ...NODE,
        data: { node, isFound: found.has(node.id), isFocused: focused === node.id },
      })),
    [placed, found, focused],
  );
  const edges = useMemo<StoryFlowEdge[]>(() => {
    const titles = new Map(placed.nodes.map(({ id, title }) => [id, title]));
    return placed.edges.map((edge) => ({
      id: edge.id,
      type: 'story',
      source: edge.from,
      target: edge.to,
      ariaLabel: [t('way', { from: titles.get(edge.from), to: titles.get(edge.to) }), ...edge.lines].join(', '),
      data: { edge },
    }));
  }, [placed, t]);

  useEffect(() => {
    const node = focused === null ? undefined : placed.nodes.find(({ id }) => id === focused);
    if (!flow || !node) return;
    const zoom = Math.max(flow.getZoom(), 0.8);
    void flow.setCenter(node.x + NODE.width / 2, node.y + NODE.height / 2, { zoom, duration: moveTime() });
  }, [flow, focused, placed]);

  const start = (instance: Flow) => {
    setFlow(instance);
    const { place } = storyStore.getState();
    if (place?.key === placeKey) void instance.setViewport(place.viewport);
    else showBeginning(instance, placed);
  };
  const tools = [
    { label: t('fit'), icon: IconFocusCentered, run: () => flow?.fitView({ padding: MARGIN, duration: moveTime() }) },
    { label: t('zoomIn'), icon: IconPlus, run: () => flow?.zoomIn({ duration: moveTime() }) },
    { label: t('zoomOut'), icon: IconMinus, run: () => flow?.zoomOut({ duration: moveTime() }) },
  ];
  return (
    <ReactFlow
      className={classes.root ?? ''}
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      edgeTypes={EDGE_TYPES}
      onInit={start}
      onMoveEnd={(_, viewport) => storyStore.setState({ place: { key: placeKey, viewport } })}
      onNodeClick={(_, { data }) => openLine(data.node)}
      onEdgeClick={(_, { data }) => data && openLine(data.edge)}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      disableKeyboardA11y
      onlyRenderVisibleElements={placed.nodes.length > MANY}
      minZoom={0.03}
      maxZoom={2}
      proOptions={{ hideAttribution: true }}
    >
      <Panel position="bottom-right" className={classes.tools ?? ''}>
        {tools.map(({ label, icon: ToolIcon, run }) => (
          <Tooltip key={label} label={label} position="left">
            <ActionIcon variant="default" size={30} aria-label={label} onClick={() => void run()}>
              <ToolIcon size={16} stroke={1.6} aria-hidden />
            </ActionIcon>
          </Tooltip>
        ))}
      </Panel>
    </ReactFlow>
  );
}
