import type { LineRecord } from './analyze-line.ts';
import { countWords } from './outline.ts';
import type { ProjectIndex } from './project-facts.ts';
import { Statement } from './scan.ts';
import { buildStoryGraph, type StoryGraph, type StoryNode } from './story-graph.ts';

/** What a stretch of story says. */
export interface StoryPassage {
  /** The node's. */
  id: string;
  /** The first line that is spoken or shown, without markup; null where nothing is. */
  opening: { speaker: string | null; text: string } | null;
  /** Counted like a scene's; see `SceneSummary`. */
  words: number;
  /** Who speaks, the most talkative first. */
  speakers: readonly string[];
}

/** Where the whole story leads, and what each stretch of it says, without the text. */
export interface DescribedStory {
  graph: Pick<StoryGraph, 'nodes' | 'edges' | 'broken' | 'words' | 'readingMinutes'>;
  /** How many. */
  scenes: number;
  /** In the order of the graph's nodes. */
  passages: readonly StoryPassage[];
}

export function describeStory(index: ProjectIndex): DescribedStory {
  const { nodes, edges, broken, words, readingMinutes, scenes } = buildStoryGraph(index);
  const graph = { nodes, edges, broken, words, readingMinutes };
  return { graph, scenes: scenes.length, passages: describePassages(index, nodes) };
}

const MARKUP = /\[([^\]]*)\]\([^)]*\)/g;
/** Of an opening, in characters. */
const LONGEST = 200;

/** What every stretch of the graph says, in the order of its nodes. Linear in the text. */
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

/** `last` is who spoke last in the scene: a line that names nobody is theirs. */
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
    const text = content.slice(0, LONGEST).replace(MARKUP, '$1').replaceAll('|', ' ').trim();
    if (opening === null && text !== '') opening = { speaker: name === 'say' ? last.speaker || null : null, text };
  }
  const speakers = [...lines].sort((one, other) => other[1] - one[1]).map(([speaker]) => speaker);
  return { id: node.id, opening, words, speakers };
}
