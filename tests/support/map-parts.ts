import type { MapEdge, MapNode } from '../../renderer/story/layout/story-map.ts';

/** A box of a story map with nothing on it but its name. */
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

/** A way between two boxes; `lines` are the words on it. */
export const toMapEdge = (from: string, to: string, lines: string[] = []): MapEdge => ({
  id: `${from}-${to}-${lines.join()}`,
  from,
  to,
  path: `${from}.txt`,
  line: 1,
  kind: 'choose',
  lines,
});
