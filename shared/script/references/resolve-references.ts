import { say } from '../../i18n/diagnostics.ts';
import { oldCommandFinding } from '../diagnostics/rules/command-words.ts';
import { fullWidthColonFinding } from '../diagnostics/rules/punctuation.ts';
import { isEngineAtLeast } from '../engine/engine-version.ts';
import type { ProjectIndex } from '../project-index/project-facts.ts';
import type { LineRecord, Resolved } from '../syntax/analyze-line.ts';
import { stageTargets } from '../syntax/figure-sides.ts';
import { type Finding, type Reference, replaceFix } from '../syntax/line-report.ts';
import { resolveAsset, resolveLooseFile, resolveScene } from './resolve-files.ts';
import { resolveComparedText, resolveSpacedName, resolveVariable } from './resolve-variables.ts';
import { didYouMean, type Resolver, span } from './resolver.ts';

const NOTHING: readonly Finding[] = [];
/** Shared by all lines that were resolved at one time and have no findings, which are nearly all. */
let resolvedToNothing: Resolved = { at: 0, findings: NOTHING };
/** Reused for all lines, because nearly all of them have no findings. */
const SCRATCH: Finding[] = [];

/** Findings of a line's references in the current project; cached until project data changes that they depend on. */
export function resolveReferences(record: LineRecord, index: ProjectIndex): readonly Finding[] {
  if (record.depends === 0 || record.references === null) return NOTHING;
  const known = record.resolved;
  if (known !== null && known.at >= index.changedAt(record.depends)) return known.findings;
  SCRATCH.length = 0;
  for (const reference of record.references) RESOLVERS.get(reference.role)?.(reference, index, SCRATCH, record.text);
  const at = index.clock;
  if (SCRATCH.length > 0) record.resolved = { at, findings: SCRATCH.slice() };
  else {
    if (resolvedToNothing.at !== at) resolvedToNothing = { at, findings: NOTHING };
    record.resolved = resolvedToNothing;
  }
  return record.resolved.findings;
}

function resolveMaybeSpeaker(reference: Reference, index: ProjectIndex, findings: Finding[]): void {
  if (index.speakers.has(reference.name)) findings.push(fullWidthColonFinding(reference.start));
}

/** Language data: words that begin a note of the user. */
const NOTE_WORDS = /^(?:todo|note|fixme|ps|注|备注|注意|提示|说明|注释)$/i;

function resolveMaybeStatement(reference: Reference, _index: ProjectIndex, findings: Finding[]): void {
  if (NOTE_WORDS.test(reference.name)) return;
  findings.push({ code: 'statement-after-semicolon', ...span(reference), values: { text: reference.note ?? '' } });
}

function resolveOddSpeaker(reference: Reference, index: ProjectIndex, findings: Finding[]): void {
  if (index.speakers.count(reference.name) > 1) return;
  findings.push({
    code: 'odd-speaker',
    ...span(reference),
    values: { name: reference.name },
    fixes: [replaceFix(0, 0, ':')],
  });
}

/** Above this number the game was made for an old engine, which is reported once for the project. */
export const MAX_OLD_COMMANDS = 3;

function resolveOldCommand(reference: Reference, index: ProjectIndex, findings: Finding[]): void {
  if (index.oldCommands.total > MAX_OLD_COMMANDS) return;
  findings.push(oldCommandFinding(reference.name, reference.note, reference.end));
}

function resolveAnimation(reference: Reference, index: ProjectIndex, findings: Finding[]): void {
  const { animations } = index;
  if (animations === null || animations.has(reference.name)) return;
  const near = index.near('animation', reference.name)[0];
  const isUnlisted = reference.name !== 'animationTable' && index.files.has(`game/animation/${reference.name}.json`);
  findings.push({
    code: 'unknown-animation',
    ...span(reference),
    values: {
      name: reference.name,
      near: isUnlisted ? '' : didYouMean(near),
      why: isUnlisted ? say('notes.unlistedAnimation') : '',
    },
    ...(near !== undefined && !isUnlisted && { fixes: [replaceFix(reference.start, reference.end, near)] }),
  });
}

function resolveTarget(reference: Reference, index: ProjectIndex, findings: Finding[]): void {
  const { name } = reference;
  const targets = stageTargets(index.engineVersion);
  if (targets.includes(name) || index.figures.has(name)) return;
  const near =
    targets.find((target) => target.replace('-', '') === name.replace(/[-_ ]/g, '').toLowerCase()) ??
    index.near('figure', name)[0];
  findings.push({
    code: 'unknown-target',
    ...span(reference),
    values: { name, near: didYouMean(near) },
    ...(near !== undefined && { fixes: [replaceFix(reference.start, reference.end, near)] }),
  });
}

/**
 * Reports rows beyond what the text box shows. From published builds: 4.4.3 shows every row, 4.4.11 cuts them, and `Max_line`
 * exists from 4.5.17 on, not in 4.5.16.
 */
function resolveRows(reference: Reference, index: ProjectIndex, findings: Finding[]): void {
  if (!isEngineAtLeast(index.engineVersion, '4.4.11')) return;
  const hasSetting = isEngineAtLeast(index.engineVersion, '4.5.17');
  const set = hasSetting ? Number.parseInt(index.configValue('Max_line') ?? '', 10) : Number.NaN;
  const most = Number.isInteger(set) && set > 0 ? set : reference.note === 'small' ? 3 : 2;
  if (Number(reference.name) <= most) return;
  const orRaise = hasSetting ? say('notes.raiseMaxLine') : '';
  const values = { count: reference.name, most: String(most), orRaise };
  findings.push({ code: 'too-many-rows', ...span(reference), values });
}

const RESOLVERS: ReadonlyMap<Reference['role'], Resolver> = new Map<Reference['role'], Resolver>([
  ['asset', resolveAsset],
  ['scene', resolveScene],
  ['loose-file', resolveLooseFile],
  ['animation', resolveAnimation],
  ['target', resolveTarget],
  ['condition', resolveVariable],
  ['comparison', resolveVariable],
  ['compared-text', resolveComparedText],
  ['calculation', resolveVariable],
  ['interpolation', resolveVariable],
  ['spaced-name', resolveSpacedName],
  ['maybe-speaker', resolveMaybeSpeaker],
  ['maybe-statement', resolveMaybeStatement],
  ['odd-speaker', resolveOddSpeaker],
  ['rows', resolveRows],
  ['old-command', resolveOldCommand],
]);
