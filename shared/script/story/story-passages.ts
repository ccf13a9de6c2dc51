import type { ProjectIndex } from '../project-index/project-facts.ts';
import type { LineRecord } from '../syntax/analyze-line.ts';
import { Statement } from '../syntax/scan.ts';
import { countWords } from './outline.ts';
import { buildStoryGraph, type StoryGraph, type StoryNode } from './story-graph.ts';

/** Text summary of a node of the story graph. */
export interface StoryPassage {
  /** Id of the node. */
  id: string;
  /** The first line of dialogue or text, without markup; null where there is none. */
  opening: { speaker: string | null; text: string } | null;
  /** Counted as in `SceneSummary`. */
  words: number;
  /** Speakers, sorted by number of lines. */
  speakers: readonly string[];
}

/** The story graph and a summary of each node, without the full text. */
export interface DescribedStory {
  graph: Pick<StoryGraph, 'nodes' | 'edges' | 'broken' | 'words'>;
  /** Number of scenes. */
  scenes: number;
  /** In the order of the graph's nodes. */
  passages: readonly StoryPassage[];
}

export function describeStory(index: ProjectIndex): DescribedStory {
  const { nodes, edges, broken, words, scenes } = buildStoryGraph(index);
  const graph = { nodes, edges, broken, words };
  return { graph, scenes: scenes.length, passages: describePassages(index, nodes) };
}

const MARKUP = /\[([^\]]*)\]\([^)]*\)/g;
/** Maximum length of an opening, in characters. */
const MAX_OPENING_LENGTH = 200;

/** Summaries of the nodes of a graph, in their order. Linear in the text. */
export function describePassages(index: ProjectIndex, nodes: readonly StoryNode[]): StoryPassage[] {
  const last = { path: '', speaker: '' };
  return nodes.map((node) => {
    if (node.path !== last.path) {
      last.path = node.path;
      last.speaker = '';
    }
    return describe(index.scene(node.path)?.records ?? [], node, last);
  });
}

/** `last` is the last speaker in the scene, to whom a line without a name belongs. */
function describe(records: readonly LineRecord[], node: StoryNode, last: { speaker: string }): StoryPassage {
  const lines = new Map<string, number>();
  let opening: StoryPassage['opening'] = null;
  let words = 0;
  for (let line = node.line - 1; line < node.endLine; line += 1) {
    const record = records[line];
    const name = record?.command?.name;
    if (record === undefined || (name !== 'say' && name !== 'intro')) continue;
    const { content } = new Statement(record.text, line, 0);
    words += countWords(content.replace(/\]\([^)]*\)/g, ' '));
    if (name === 'say') {
      last.speaker = record.speaker ?? last.speaker;
      if (last.speaker !== '') lines.set(last.speaker, (lines.get(last.speaker) ?? 0) + 1);
    }
    const text = content.slice(0, MAX_OPENING_LENGTH).replace(MARKUP, '$1').replaceAll('|', ' ').trim();
    if (opening === null && text !== '') opening = { speaker: name === 'say' ? last.speaker || null : null, text };
  }
  const speakers = [...lines].sort((one, other) => other[1] - one[1]).map(([speaker]) => speaker);
  return { id: node.id, opening, words, speakers };
}
