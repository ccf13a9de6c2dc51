import { FlowNetwork, OpenNetwork } from './flow-network.ts';
import { ANY_LABEL, ANY_SCENE, type FlowLink, type FlowStructure, PAST_END } from './flow-structure.ts';

/** The nodes of a scene in the graph of the story. */
export interface Place {
  /** Index among the scenes. */
  at: number;
  /** The node before the first step; step n is node `start + 1 + n`, and `end` follows the last. */
  start: number;
  end: number;
  structure: FlowStructure;
}

export interface StoryNetwork {
  network: FlowNetwork;
  /** Continuations after calls: from the end of the called scene, to the next step, by the calling step. */
  returns: readonly { from: number; to: number; needs: number }[];
}

/**
 * Builds the graph of the story. `anywhere` is the node of a scene named by a variable, with its end at `anywhere + 1`; it
 * follows all nodes of `places`. With calls, an edge out of the end of a scene needs the step that entered the scene; without,
 * the graph holds what is reached without a caller to return to.
 */
export function connectScenes(
  places: ReadonlyMap<string, Place>,
  anywhere: number,
  { withCalls }: { withCalls: boolean },
): StoryNetwork {
  const network = new FlowNetwork(anywhere + 2);
  const returns: StoryNetwork['returns'][number][] = [];
  let leadsAnywhere = false;
  for (const { start, end, structure } of places.values()) {
    network.add(start, structure.steps === 0 ? end : start + 1);
    let leadsToLabels = false;
    for (const link of structure.links) {
      if (link.kind === 'end') continue;
      const node = start + 1 + link.from;
      const next = link.to === PAST_END ? end : link.to === ANY_LABEL ? end + 1 : start + 1 + link.to;
      leadsToLabels ||= link.to === ANY_LABEL;
      const target = findTarget(places, link, anywhere);
      // Missing scene: the engine logs an error and continues.
      if (target === null) network.add(node, next);
      else if (link.kind === 'change') {
        network.add(node, target.start);
        // The caller of this scene continues when the next one ends.
        if (withCalls) network.add(target.end, end, node);
      } else if (withCalls) {
        network.add(node, target.start);
        network.add(target.end, next, node);
        returns.push({ from: target.end, to: next, needs: node });
      }
      leadsAnywhere ||= target?.start === anywhere;
    }
    if (leadsToLabels) for (const label of structure.labels) network.add(end + 1, start + 1 + label);
  }
  if (leadsAnywhere) {
    for (const { start, end } of places.values()) {
      network.add(anywhere, start);
      if (withCalls) network.add(end, anywhere + 1);
    }
  }
  return { network, returns };
}

function findTarget(
  places: ReadonlyMap<string, Place>,
  link: FlowLink,
  anywhere: number,
): { start: number; end: number } | null {
  if (link.scene === ANY_SCENE) return { start: anywhere, end: anywhere + 1 };
  return (link.scene !== null && places.get(link.scene)) || null;
}

/** The cycles of scenes: by calls alone, and by calls and changes; and the scenes that call themselves. By `at`. */
export function findSceneCycles(places: ReadonlyMap<string, Place>): {
  byCalls: Int32Array;
  byLinks: Int32Array;
  selfCalls: ReadonlySet<number>;
} {
  const selfCalls = new Set<number>();
  const calls: { from: number[]; to: number[] } = { from: [], to: [] };
  const links: { from: number[]; to: number[] } = { from: [], to: [] };
  for (const { at, structure } of places.values()) {
    for (const { kind, from, scene } of structure.links) {
      const to = scene === null ? undefined : places.get(scene)?.at;
      if (to === undefined || structure.reached[from] === 0) continue;
      links.from.push(at);
      links.to.push(to);
      if (kind !== 'call') continue;
      calls.from.push(at);
      calls.to.push(to);
      if (at === to) selfCalls.add(at);
    }
  }
  const count = places.size;
  return {
    byCalls: new OpenNetwork(count, calls.from, calls.to).findCycles(),
    byLinks: new OpenNetwork(count, links.from, links.to).findCycles(),
    selfCalls,
  };
}
