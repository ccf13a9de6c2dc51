import '@xyflow/react/dist/base.css';
import { ReactFlow, type ReactFlowProps, ReactFlowProvider, ViewportPortal } from '@xyflow/react';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { showFile } from '../../workflows/show-file.ts';
import { findNeighbours } from '../layout/map-neighbours.ts';
import type { PlacedMap } from '../layout/placed-map.ts';
import type { MapNode } from '../layout/story-map.ts';
import type { Drawn } from '../story-operations.ts';
import { revealBox, storyStore, useStory } from '../story-store.ts';
import { NeighboursContext } from './neighbours-context.ts';
import { StoryBlocks } from './story-blocks.tsx';
import classes from './story-canvas.module.css';
import { StoryMinimap } from './story-minimap.tsx';
import { StoryNames } from './story-names.tsx';
import { type StoryFlowNode, StoryNode } from './story-node.tsx';
import { StoryTools } from './story-tools.tsx';
import { StoryWays } from './story-ways.tsx';
import { useFlowNodes } from './use-flow-nodes.ts';
import { useMapGoal } from './use-map-goal.ts';
import { type Flow, type Level, MIN_ZOOM, moveTime, toLevel, toStep, useViewport } from './use-viewport.ts';
import { walkMap } from './walk-map.ts';

interface StoryCanvasProps {
  placed: PlacedMap;
  /** Key of the game and detail. */
  placeKey: string;
  /** Search matches by node id with the line to open; `focused` is the centered one. */
  found: ReadonlyMap<string, number | null>;
  focused: string | null;
  /** Node that contains the cursor line of the editor. */
  here: Drawn | null;
}

const NODE_TYPES = { story: StoryNode };
/** From more nodes on, low zoom draws plain shapes. */
const BLOCKS_ABOVE_NODES = 150;
/** From more nodes on, only visible ones are drawn. */
const CULL_ABOVE_NODES = 40;
/** From more nodes on, a minimap is shown. */
const MINIMAP_ABOVE_NODES = 12;

/** The map handles selection, focus and keys itself. */
const FIXED = {
  nodesDraggable: false,
  nodesConnectable: false,
  nodesFocusable: false,
  elementsSelectable: false,
  disableKeyboardA11y: true,
  minZoom: MIN_ZOOM,
  maxZoom: 2,
  proOptions: { hideAttribution: true },
};

/** The interactive map: pan, zoom, click, and arrow key navigation. */
export function StoryCanvas(props: StoryCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas({ placed, placeKey, found, focused, here: place }: StoryCanvasProps) {
  const [flow, setFlow] = useState<Flow | null>(null);
  const [level, setLevel] = useState(() => toLevel(1));
  const [scale, setScale] = useState(1);
  const here = place?.box ?? null;
  const chosen = useStory((state) => state.chosen);
  const root = useRef<HTMLDivElement>(null);
  const keyTarget = useRef<string | null>(null);
  const neighbours = useMemo(() => findNeighbours(placed), [placed]);
  const around = useMemo(() => ({ neighbours, keyTarget }), [neighbours]);
  const { goTo, showAll, begin } = useViewport({ flow, placed, placeKey, here });

  const stop = [chosen, here, placed.nodes[0]?.id].find((id) => placed.nodes.some((node) => node.id === id));
  const nodes = useFlowNodes(
    isDrawnAsBlocks(placed, level) ? EMPTY : placed,
    { found, focused, here, stop },
    placed.nodes.length > CULL_ABOVE_NODES,
  );

  useMapGoal({ root, placed, goTo: flow && goTo, keyTarget });
  useEffect(() => () => storyStore.setState({ pointed: null }), []);

  const handlers = useHandlers({
    found,
    placeKey,
    onInit(instance) {
      setFlow(instance);
      begin(instance);
    },
    onMove(event, zoom) {
      // Only for user input and only after movement: a press without movement is a click.
      if (event) root.current?.setAttribute('data-moving', '');
      setLevel(toLevel(zoom));
      setScale(toStep(zoom));
    },
    onMoved: () => root.current?.removeAttribute('data-moving'),
  });
  return (
    <NeighboursContext value={around}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles arrow keys of the focused nodes inside */}
      <div
        ref={root}
        className={classes.root}
        data-level={level}
        style={{ '--zoom': scale } as React.CSSProperties}
        onKeyDown={(event) => walkMap(event, { placed, neighbours, stop, keyTarget, goTo })}
        onFocus={(event) => {
          const id = (event.target as HTMLElement).closest('.react-flow__node')?.getAttribute('data-id');
          // Keyboard focus only: a click selects the node itself and opens the editor.
          if (id && event.target.matches(':focus-visible')) storyStore.setState({ chosen: id });
        }}
      >
        <ReactFlow
          className={classes.flow ?? ''}
          nodes={nodes as StoryFlowNode[]}
          nodeTypes={NODE_TYPES}
          {...handlers}
          {...FIXED}
        >
          <StoryLayers placed={placed} level={level} scale={scale} />
          <Tools flow={flow} showAll={showAll} place={place} />
        </ReactFlow>
      </div>
    </NeighboursContext>
  );
}

interface Latest {
  found: StoryCanvasProps['found'];
  placeKey: string;
  onInit(instance: Flow): void;
  onMove(event: unknown, zoom: number): void;
  onMoved(): void;
}

/** Returns handlers that never change: xyflow notifies every node when one does. */
function useHandlers(now: Latest): Handlers {
  const latest = useRef(now);
  latest.current = now;
  const [handlers] = useState<Handlers>(() => ({
    onInit: (instance) => latest.current.onInit(instance),
    onMove: (event, { zoom }) => latest.current.onMove(event, zoom),
    onMoveEnd(_, viewport) {
      latest.current.onMoved();
      storyStore.setState({ place: { key: latest.current.placeKey, viewport } });
    },
    onNodeClick: (_, { data: { node } }) => openNode(node, latest.current.found),
    onNodeMouseEnter: (_, { id }) => storyStore.setState({ pointed: id }),
    onNodeMouseLeave: () => storyStore.setState({ pointed: null }),
    onPaneClick: () => storyStore.setState({ chosen: null }),
  }));
  return handlers;
}

type Handlers = Pick<
  ReactFlowProps<StoryFlowNode>,
  'onInit' | 'onMove' | 'onMoveEnd' | 'onNodeClick' | 'onNodeMouseEnter' | 'onNodeMouseLeave' | 'onPaneClick'
>;

/** The buttons, which are not rendered again while the map moves. */
const Tools = memo(function Tools({
  flow,
  showAll,
  place,
}: {
  flow: Flow | null;
  showAll: () => void;
  place: Drawn | null;
}) {
  return (
    <StoryTools
      onFit={showAll}
      onNearer={() => void flow?.zoomIn({ duration: moveTime() })}
      onFarther={() => void flow?.zoomOut({ duration: moveTime() })}
      onHere={place && (() => revealBox(place.id, place.chapter))}
    />
  );
});

const EMPTY: Pick<PlacedMap, 'nodes'> = { nodes: [] };

/** True if the map is too large to draw its nodes at this level. */
const isDrawnAsBlocks = ({ nodes }: PlacedMap, level: Level): boolean =>
  nodes.length > BLOCKS_ABOVE_NODES && level === 'far';

function openNode(node: MapNode, found: StoryCanvasProps['found']): void {
  storyStore.setState({ chosen: node.id, pointed: null });
  if (node.folded?.[0] !== undefined) revealBox(node.folded[0], node.id);
  else showFile(node.path, found.get(node.id) ?? node.line);
}

interface StoryLayersProps {
  placed: PlacedMap;
  level: Level;
  scale: number;
}

/** What is drawn besides the nodes: ways, shapes and names of a far map, and the minimap of a small one. */
const StoryLayers = memo(function StoryLayers({ placed, level, scale }: StoryLayersProps) {
  const { nodes, ways, width, height } = placed;
  const hasMinimap = nodes.length > MINIMAP_ABOVE_NODES && nodes.length <= BLOCKS_ABOVE_NODES && level !== 'far';
  return (
    <>
      <ViewportPortal>
        {isDrawnAsBlocks(placed, level) && <StoryBlocks nodes={nodes} />}
        {level === 'far' && <StoryNames nodes={nodes} scale={scale} />}
        <StoryWays ways={ways} width={width} height={height} isCulled={nodes.length > CULL_ABOVE_NODES} />
      </ViewportPortal>
      {hasMinimap && <StoryMinimap placed={placed} />}
    </>
  );
});
