import type { MapEdge, MapNode } from '../../../renderer/story/layout/story-map.ts';

/** Creates a node of a story map that has only a name. */
export const toMapNode = (id: string): MapNode => ({
  id,
  path: `${id}.txt`,
  line: 1,
  endLine: 1,
  title: id,
  opening: '',
  note: '',
  marks: [],
  count: 0,
});

/** Creates an edge between two nodes; `lines` are its labels. */
export const toMapEdge = (from: string, to: string, lines: string[] = []): MapEdge => ({
  id: `${from}-${to}-${lines.join()}`,
  from,
  to,
  path: `${from}.txt`,
  line: 1,
  kind: 'choose',
  lines,
});
