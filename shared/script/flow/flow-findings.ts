import { type DiagnosticMessage, say } from '../../i18n/diagnostics.ts';
import { type ProjectIndex, SCENE_FOLDER } from '../project-index/project-facts.ts';
import { resolveReferences } from '../references/resolve-references.ts';
import type { LineRecord } from '../syntax/analyze-line.ts';
import type { PlacedFinding, Reference } from '../syntax/line-report.ts';
import type { SceneLines } from '../syntax/scene-lines.ts';
import { addBranchFalls } from './branch-falls.ts';
import type { FlowLink } from './flow-structure.ts';
import { type FlowSummary, unreachableRuns } from './flow-summary.ts';
import { flowOfScene, type StoryFlow } from './story-flow.ts';

/**
 * Adds the flow findings that need only the scene itself to `found`. Linear in its steps and in its unreachable lines. Lists
 * instead of generators, here and below: most scenes have none of these findings, and starting a generator costs more than
 * finding that out.
 */
export function addOwnFlowFindings(index: ProjectIndex, scene: SceneLines, found: PlacedFinding[]): void {
  const summary = flowOfScene(index, scene);
  addUnreachable(scene.records, summary, found);
  addBranchFalls(scene.records, summary, found);
}

/** Flow findings that need the whole story; linear in the scene's steps. */
export function storyFlowFindings(index: ProjectIndex, scene: SceneLines, story: StoryFlow): PlacedFinding[] {
  const { path, records } = scene;
  const found: PlacedFinding[] = [];
  const context = { path, records, summary: flowOfScene(index, scene), story, found };
  addEndlessLoops(context);
  addReads(index, context);
  addLeftOnStage(context);
  addMissedMoves(index, context);
  addCalls(context);
  return found;
}

interface SceneInStory {
  path: string;
  records: readonly LineRecord[];
  summary: FlowSummary;
  story: StoryFlow;
  found: PlacedFinding[];
}

/** Unreachable lines, one finding for each run of them. */
function addUnreachable(records: readonly LineRecord[], summary: FlowSummary, found: PlacedFinding[]): void {
  if (summary.structure.reached.indexOf(0) < 0) return;
  for (const { first, last } of unreachableRuns(summary)) {
    let count = 0;
    for (let line = first; line <= last; line += 1) if (records[line]?.command !== null) count += 1;
    const end = records[last]?.text.length ?? 0;
    found.push({
      line: first,
      finding: { code: 'unreachable', start: 0, end, lines: last - first, values: { count: String(count) } },
    });
  }
}

/** Endless loops without a pause: one finding per scene, at its last backward link. */
function addEndlessLoops({ path, records, summary, story, found }: SceneInStory): void {
  const steps = story.endlessSteps(path);
  if (steps.length === 0) return;
  const endless = new Set(steps);
  const { structure, blocks, linkLines } = summary;
  for (let at = structure.links.length - 1; at >= 0; at -= 1) {
    const link = structure.links[at];
    if (link === undefined || !endless.has(link.from) || link.how === 'falls') continue;
    // A call that recurses is reported by `addCalls`.
    if (link.kind === 'call' && link.scene !== null && story.isRecursive(path, link.scene)) continue;
    const line = linkLines[at] ?? 0;
    const label = link.kind === 'go' && link.to <= link.from ? blocks[link.to]?.label : undefined;
    const reference = referenceOf(records[line], link.kind === 'go' ? 'jump' : 'scene');
    if (reference === undefined || (link.kind === 'go' && typeof label !== 'string')) continue;
    const { start, end } = reference;
    found.push(
      typeof label === 'string'
        ? { line, finding: { code: 'endless-loop', start, end, values: { name: label } } }
        : { line, finding: { code: 'endless-scenes', start, end, values: { scene: reference.name } } },
    );
    return;
  }
}

/** Reads of variables that no path has set. Each name is reported once per line. */
function addReads(index: ProjectIndex, { path, records, summary, story, found }: SceneInStory): void {
  if (summary.structure.reads.length === 0) return;
  let last = { line: -1, name: '' };
  const unset = [...story.readsBeforeSet(path)].sort((one, other) => one - other);
  for (const at of unset) {
    const read = summary.structure.reads[at];
    const place = summary.readPlaces[at];
    const reference = place && records[place.line]?.references?.[place.at];
    if (read === undefined || place === undefined || !reference) continue;
    const { name, role } = read;
    const { line } = place;
    const { start, end } = reference;
    if (last.line === line && last.name === name) continue;
    last = { line, name };
    // Text that is not a calculation has a finding of its own.
    if (role === 'calculation' && isText(index, records[line])) continue;
    found.push(
      role === 'calculation'
        ? { line, finding: { code: 'calculation-before-set', start, end, values: { name } } }
        : { line, finding: { code: 'read-before-set', start, end, values: { name, effect: EFFECTS[role] } } },
    );
  }
}

function isText(index: ProjectIndex, record: LineRecord | undefined): boolean {
  return record !== undefined && resolveReferences(record, index).some(({ code }) => code === 'setvar-text');
}

const EFFECTS: Record<'condition' | 'interpolation', DiagnosticMessage> = {
  condition: say('notes.unsetCondition'),
  interpolation: say('notes.unsetBraces'),
};

const SIDES: Readonly<Record<string, DiagnosticMessage>> = {
  left: say('figures.left'),
  right: say('figures.right'),
  center: say('figures.center'),
  left13: say('figures.left13'),
  right13: say('figures.right13'),
  left14: say('figures.left14'),
  right14: say('figures.right14'),
};

/** Figures and music left by earlier scenes, where this scene shows a new background without setting them. */
function addLeftOnStage({ path, records, summary, story, found }: SceneInStory): void {
  const { structure, leadLine: line } = summary;
  const text = records[line]?.text;
  if (text === undefined || !story.isReached(path)) return;
  const { lead } = structure;
  const standing = lead.changesPlace ? [...story.figuresAtStart(path)] : [];
  const left = standing.filter((slot) => !lead.figures.includes(slot)).sort();
  if (left.length > 0) {
    const figures = left.map((slot) => SIDES[slot] ?? slot.slice('id '.length));
    found.push({ line, finding: { code: 'figure-left-on-stage', start: 0, end: text.length, values: { figures } } });
  }
  if (lead.setsMusic) return;
  const music = story.musicAtStart(path);
  if (music.size > 1) {
    const names = [...music]
      .filter((name) => name !== '')
      .sort()
      .join(', ');
    const values = { music: say(music.has('') ? 'notes.silenceOr' : 'notes.names', { names }) };
    found.push({ line, finding: { code: 'music-by-way', start: 0, end: text.length, values } });
  }
}

/** Animations of figures that are not on stage. A game's own command may show figures, so nothing is said of games that have some. */
function addMissedMoves(index: ProjectIndex, { path, records, summary, story, found }: SceneInStory): void {
  if (summary.structure.moves.length === 0 || index.engineCommands.total > 0) return;
  for (const at of story.missedMoves(path)) {
    const place = summary.movePlaces[at];
    const reference = place && records[place.line]?.references?.[place.at];
    if (place === undefined || !reference) continue;
    const { start, end, name } = reference;
    found.push({ line: place.line, finding: { code: 'target-not-on-stage', start, end, values: { name } } });
  }
}

/** Calls that lead back to the scene they are in. */
function addCalls({ path, records, summary, story, found }: SceneInStory): void {
  const { structure, linkLines } = summary;
  for (let at = 0; at < structure.links.length; at += 1) {
    const link = structure.links[at] as FlowLink;
    if (link.kind !== 'call' || link.scene === null || structure.reached[link.from] === 0) continue;
    const line = linkLines[at] ?? 0;
    const reference = referenceOf(records[line], 'scene');
    if (reference === undefined) continue;
    const { start, end } = reference;
    if (story.isRecursive(path, link.scene)) {
      const values = { scene: path.slice(SCENE_FOLDER.length) };
      found.push({ line, finding: { code: 'recursive-call', start, end, values } });
    } else if (story.staysOpen(path, link.scene)) {
      found.push({ line, finding: { code: 'call-left-open', start, end, values: { scene: reference.name } } });
    }
  }
}

function referenceOf(record: LineRecord | undefined, role: Reference['role']): Reference | undefined {
  return record?.references?.findLast((reference) => reference.role === role);
}
