import '@xyflow/react/dist/base.css';
import { MiniMap, ReactFlow, ReactFlowProvider, ViewportPortal } from '@xyflow/react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFile } from '../../workflows/show-file.ts';
import { type Direction, findNeighbours } from '../layout/map-neighbours.ts';
import { MARK_SHAPES } from '../layout/mark-shape.ts';
import type { PlacedMap } from '../layout/placed-map.ts';
import type { Drawn } from '../story-service.ts';
import { foldChapters, revealBox, storyStore, useStory } from '../story-store.ts';
import { NeighboursContext } from './neighbours-context.ts';
import { StoryBlocks } from './story-blocks.tsx';
import classes from './story-canvas.module.css';
import { StoryNames } from './story-names.tsx';
import { type StoryFlowNode, StoryNode } from './story-node.tsx';
import { StoryTools } from './story-tools.tsx';
import { StoryWays } from './story-ways.tsx';
import { useFlowNodes } from './use-flow-nodes.ts';
import { type Flow, MIN_ZOOM, moveTime, toLevel, toStep, useViewport } from './use-viewport.ts';

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

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

const toColor = ({ data: { node } }: StoryFlowNode): string => {
  const mark = node.marks.find((one) => one.mark !== 'unreachable')?.mark;
  return `var(--${mark ? MARK_SHAPES[mark].ink : 'edge'})`;
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
  const { t } = useTranslation('story');
  const [flow, setFlow] = useState<Flow | null>(null);
  const [level, setLevel] = useState(() => toLevel(1));
  const [scale, setScale] = useState(1);
  const here = place?.box ?? null;
  const goal = useStory((state) => state.goal);
  const chosen = useStory((state) => state.chosen);
  const root = useRef<HTMLDivElement>(null);
  const keyTarget = useRef<string | null>(null);
  const neighbours = useMemo(() => findNeighbours(placed), [placed]);
  const around = useMemo(() => ({ neighbours, keyTarget }), [neighbours]);
  const isLarge = placed.nodes.length > BLOCKS_ABOVE_NODES;
  const { goTo, showAll, begin } = useViewport({ flow, placed, placeKey, here });

  const stop = [chosen, here, placed.nodes[0]?.id].find((id) => placed.nodes.some((node) => node.id === id));
  const isFar = isLarge && level === 'far';
  const nodes = useFlowNodes(
    isFar ? EMPTY : placed,
    { found, focused, here, stop },
    placed.nodes.length > CULL_ABOVE_NODES,
  );

  useEffect(() => {
    if (goal === null) return;
    // The chapter may still be folded; the view with the node arrives later.
    const isOpen = goal.chapter === null || storyStore.getState().view?.open.some(({ id }) => id === goal.chapter);
    const target = placed.nodes.find(({ id, folded }) => id === goal.id || folded?.includes(goal.id));
    if (!isOpen || target === undefined) return;
    goTo(target.id);
    storyStore.setState({ chosen: target.id, goal: null });
  }, [goal, goTo, placed]);

  useEffect(() => () => storyStore.setState({ pointed: null }), []);

  const point = useCallback((pointed: string | null) => storyStore.setState({ pointed }), []);
  const walk = (event: React.KeyboardEvent) => {
    if (event.key === 'Escape' && storyStore.getState().chosen !== null) {
      storyStore.setState({ chosen: null });
      return;
    }
    if (event.key === '-' && !event.ctrlKey && !event.metaKey) {
      const chapter = placed.nodes.find(({ id }) => id === storyStore.getState().chosen)?.chapter;
      if (chapter !== undefined) foldChapters(chapter);
      return;
    }
    const direction = DIRECTIONS[event.key];
    if ((!direction && event.key !== 'Home') || event.altKey || event.ctrlKey || event.metaKey) return;
    const from = storyStore.getState().chosen ?? stop;
    if (!from) return;
    event.preventDefault();
    const target = direction ? neighbours.toward(from, direction) : placed.nodes[0]?.id;
    if (!target) return;
    keyTarget.current = target;
    storyStore.setState({ chosen: target, pointed: null });
    goTo(target, { isNear: true });
  };
  const onHere = place === null ? null : () => revealBox(place.id, place.chapter);
  const open = ({ data: { node } }: StoryFlowNode) => {
    storyStore.setState({ chosen: node.id, pointed: null });
    if (node.folded?.[0] !== undefined) revealBox(node.folded[0], node.id);
    else showFile(node.path, found.get(node.id) ?? node.line);
  };
  return (
    <NeighboursContext value={around}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles arrow keys of the focused nodes inside */}
      <div
        ref={root}
        className={classes.root}
        data-level={level}
        style={{ '--zoom': scale } as React.CSSProperties}
        onKeyDown={walk}
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
          onInit={(instance) => {
            setFlow(instance);
            begin(instance);
          }}
          onMove={(event, { zoom }) => {
            // Only for user input and only after movement: a press without movement is a click.
            if (event) root.current?.setAttribute('data-moving', '');
            setLevel(toLevel(zoom));
            setScale(toStep(zoom));
          }}
          onMoveEnd={(_, viewport) => {
            root.current?.removeAttribute('data-moving');
            storyStore.setState({ place: { key: placeKey, viewport } });
          }}
          onNodeClick={(_, node) => open(node)}
          onNodeMouseEnter={(_, { id }) => point(id)}
          onNodeMouseLeave={() => point(null)}
          onPaneClick={() => storyStore.setState({ chosen: null })}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          elementsSelectable={false}
          disableKeyboardA11y
          minZoom={MIN_ZOOM}
          maxZoom={2}
          proOptions={{ hideAttribution: true }}
        >
          <ViewportPortal>
            {isFar && <StoryBlocks nodes={placed.nodes} />}
            {level === 'far' && <StoryNames nodes={placed.nodes} scale={scale} />}
            <StoryWays
              ways={placed.ways}
              width={placed.width}
              height={placed.height}
              isCulled={placed.nodes.length > CULL_ABOVE_NODES}
            />
          </ViewportPortal>
          {!isLarge && level !== 'far' && placed.nodes.length > MINIMAP_ABOVE_NODES && (
            <MiniMap
              className={classes.overview ?? ''}
              position="bottom-left"
              ariaLabel={t('overview')}
              nodeColor={toColor}
              nodeStrokeWidth={0}
              nodeBorderRadius={20}
              maskStrokeColor="var(--accent)"
              maskStrokeWidth={1.5}
              pannable
            />
          )}
          <StoryTools
            onFit={() => void showAll()}
            onNearer={() => void flow?.zoomIn({ duration: moveTime() })}
            onFarther={() => void flow?.zoomOut({ duration: moveTime() })}
            onHere={onHere}
          />
        </ReactFlow>
      </div>
    </NeighboursContext>
  );
}

const EMPTY: Pick<PlacedMap, 'nodes'> = { nodes: [] };
