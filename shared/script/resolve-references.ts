import { isUnportable } from '../model/portable-name.ts';
import type { LocalText } from '../model/text.ts';
import type { LineRecord } from './analyze-line.ts';
import { STAGE_TARGETS } from './command-values.ts';
import { oldCommandFinding } from './diagnostics/command-words.ts';
import { effectOfMissing, endingOf } from './diagnostics/files.ts';
import { fullWidthColonFinding } from './diagnostics/punctuation.ts';
import { toFilePath } from './file-names.ts';
import { type Finding, type Reference, replaceFix } from './line-report.ts';
import { LIVE2D_RUNTIME, type ProjectIndex } from './project-facts.ts';
import { Statement } from './scan.ts';

const NOTHING: readonly Finding[] = [];
/** Reused for all lines, because nearly all of them have no findings. */
const SCRATCH: Finding[] = [];

/** Findings of a line's references in the current project; cached until project data changes that they depend on. */
export function resolveReferences(record: LineRecord, index: ProjectIndex): readonly Finding[] {
  if (record.depends === 0 || record.references === null) return NOTHING;
  if (record.resolved !== null && record.resolvedAt >= index.changedAt(record.depends)) return record.resolved;
  SCRATCH.length = 0;
  current = record.text;
  for (const reference of record.references) RESOLVERS.get(reference.role)?.(reference, index, SCRATCH);
  record.resolved = SCRATCH.length === 0 ? NOTHING : SCRATCH.slice();
  record.resolvedAt = index.clock;
  return record.resolved;
}

type Resolver = (reference: Reference, index: ProjectIndex, findings: Finding[]) => void;

/** Text of the line being resolved, for the few rules whose message quotes more of it. */
let current = '';

function resolveMaybeSpeaker(reference: Reference, index: ProjectIndex, findings: Finding[]): void {
  if (index.speakers.has(reference.name)) findings.push(fullWidthColonFinding(reference.start));
}

function resolveMaybeStatement(reference: Reference, _index: ProjectIndex, findings: Finding[]): void {
  if (/^(?:todo|note|fixme|ps|注|备注|注意|提示|说明|注释)$/i.test(reference.name)) return;
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
export const FEW_OLD_COMMANDS = 3;

function resolveOldCommand(reference: Reference, index: ProjectIndex, findings: Finding[]): void {
  if (index.oldCommands.total > FEW_OLD_COMMANDS) return;
  findings.push(oldCommandFinding(reference.name, reference.note, reference.end));
}

const span = (reference: Reference) => ({ start: reference.start, end: Math.max(reference.end, reference.start + 1) });

const didYouMean = (name: string | undefined): LocalText | '' =>
  name === undefined ? '' : { 'zh-CN': `是不是想写 ${name}？`, en: ` Did you mean ${name}?` };

function resolveAsset(reference: Reference, index: ProjectIndex, findings: Finding[]): void {
  const { files } = index;
  const folder = reference.folder ?? 'background';
  if (!files.isKnown) return;
  if (files.hasInFolder(folder, reference.name)) {
    checkRuntime(reference, index, findings);
    if (isUnportable(reference.name.slice(reference.name.search(/[^/\\]*$/)))) addUnportable(reference, findings);
    return;
  }
  if (addCutName(reference, index, findings, folder)) return;
  const path = toFilePath(folder, reference.name);
  const inFolder = (found: string) => (found.startsWith(`game/${folder}/`) ? found.slice(folder.length + 6) : found);
  const spelled = files.inAnyCase(path);
  if (spelled !== undefined) {
    const actual = inFolder(spelled);
    findings.push({
      code: 'file-case',
      ...span(reference),
      values: { actual },
      fixes: [replaceFix(reference.start, reference.end, actual)],
    });
    return;
  }
  const elsewhere = files
    .withBaseName(reference.name)
    .filter((found) => !found.startsWith(`game/${folder}/`) && found.startsWith('game/'));
  const [other] = elsewhere;
  if (other !== undefined) {
    findings.push({
      code: 'wrong-folder',
      ...span(reference),
      values: { command: reference.note ?? '', folder: `game/${folder}`, file: reference.name, actual: other },
    });
    return;
  }
  addMissing(reference, index, findings, folder);
}

function addUnportable(reference: Reference, findings: Finding[]): void {
  findings.push({ code: 'unportable-name', ...span(reference), values: { file: reference.name } });
}

/** Adds a finding for a file whose name contains a blank and a hyphen, where the engine stops reading it. */
function addCutName(reference: Reference, index: ProjectIndex, findings: Finding[], folder: string): boolean {
  const actual = index.files.cutOff(folder, reference.name);
  if (actual === undefined) return false;
  const values = { actual, file: reference.name, effect: effectOfMissing(reference.note, folder) };
  findings.push({ code: 'file-name-dash', ...span(reference), values });
  return true;
}

function addMissing(reference: Reference, index: ProjectIndex, findings: Finding[], folder: string): void {
  const near = index.files.near(folder, reference.name);
  findings.push({
    code: 'missing-file',
    ...span(reference),
    values: {
      folder: `game/${folder}`,
      file: reference.name,
      effect: effectOfMissing(reference.note, folder),
      near:
        near.length === 0
          ? ''
          : { 'zh-CN': `相近的文件：${near.join('、')}。`, en: ` Near names: ${near.join(', ')}.` },
    },
    ...(near.length > 0 && { fixes: near.map((name) => replaceFix(reference.start, reference.end, name)) }),
  });
}

function checkRuntime(reference: Reference, index: ProjectIndex, findings: Finding[]): void {
  if (reference.folder !== 'figure' && reference.folder !== 'background') return;
  if (!/\.(?:json|skel)$/i.test(reference.name)) return;
  const ending = endingOf(reference.name);
  const isLive2d = ending === 'json' && reference.folder === 'figure';
  if (!isLive2d && ending !== 'skel') return;
  if (isLive2d && LIVE2D_RUNTIME.every((path) => index.files.has(path))) return;
  findings.push({
    code: 'figure-runtime',
    ...span(reference),
    values: { file: reference.name, format: isLive2d ? 'Live2D' : 'Spine' },
  });
}

function resolveScene(reference: Reference, index: ProjectIndex, findings: Finding[]): void {
  const { files } = index;
  if (!files.isKnown) return;
  if (files.hasInFolder('scene', reference.name)) return;
  if (addCutName(reference, index, findings, 'scene')) return;
  const path = toFilePath('scene', reference.name);
  const spelled = files.inAnyCase(path);
  const fix = (actual: string) => [replaceFix(reference.start, reference.end, actual)];
  if (spelled !== undefined) {
    const actual = spelled.slice('game/scene/'.length);
    findings.push({ code: 'file-case', ...span(reference), values: { actual }, fixes: fix(actual) });
    return;
  }
  if (files.has(`${path}.txt`)) {
    const actual = `${reference.name}.txt`;
    findings.push({
      code: 'scene-extension',
      ...span(reference),
      values: { file: reference.name, actual },
      fixes: fix(actual),
    });
    return;
  }
  const near = files.near('scene', reference.name);
  findings.push({
    code: 'missing-scene',
    ...span(reference),
    values: {
      file: reference.name,
      near:
        near.length === 0
          ? ''
          : { 'zh-CN': `相近的场景：${near.join('、')}。`, en: ` Near names: ${near.join(', ')}.` },
    },
    ...(near.length > 0 && { fixes: near.map((name) => replaceFix(reference.start, reference.end, name)) }),
  });
}

/** A file after a word that is not a command: reported as missing when no folder has it. */
function resolveLooseFile(reference: Reference, index: ProjectIndex, findings: Finding[]): void {
  if (!index.files.isKnown || index.files.withBaseName(reference.name).length > 0) return;
  const ending = endingOf(reference.name);
  const folder = /^(?:mp3|ogg|wav|m4a|flac|aac|opus)$/.test(ending)
    ? 'vocal'
    : /^(?:mp4|webm|mkv|mov)$/.test(ending)
      ? 'video'
      : 'background';
  if (ending === 'txt') resolveScene(reference, index, findings);
  else addMissing(reference, index, findings, folder);
}

function resolveAnimation(reference: Reference, index: ProjectIndex, findings: Finding[]): void {
  const { animations } = index;
  if (animations === null || animations.has(reference.name)) return;
  const near = index.near('animation', reference.name)[0];
  const isUnlisted = index.files.has(`game/animation/${reference.name}.json`);
  findings.push({
    code: 'unknown-animation',
    ...span(reference),
    values: {
      name: reference.name,
      near: isUnlisted ? '' : didYouMean(near),
      why: isUnlisted
        ? {
            'zh-CN': '文件有，但没有登记在 animationTable.json 里。',
            en: ' The file is there but not listed in animationTable.json.',
          }
        : '',
    },
    ...(near !== undefined && !isUnlisted && { fixes: [replaceFix(reference.start, reference.end, near)] }),
  });
}

function resolveTarget(reference: Reference, index: ProjectIndex, findings: Finding[]): void {
  const { name } = reference;
  if ((STAGE_TARGETS as readonly string[]).includes(name) || index.figures.has(name)) return;
  const near =
    STAGE_TARGETS.find((target) => target.replace('-', '') === name.replace(/[-_ ]/g, '').toLowerCase()) ??
    index.near('figure', name)[0];
  findings.push({
    code: 'unknown-target',
    ...span(reference),
    values: { name, near: didYouMean(near) },
    ...(near !== undefined && { fixes: [replaceFix(reference.start, reference.end, near)] }),
  });
}

function resolveVariable(reference: Reference, index: ProjectIndex, findings: Finding[]): void {
  const { name, role } = reference;
  if (reference.note === 'known' || name.startsWith('$')) return;
  const isKnown = index.hasVariable(name) || (name.includes('.') && index.hasVariable(name.split('.')[0] ?? ''));
  if (role === 'calculation') {
    resolveCalculation(reference, isKnown, index, findings);
    return;
  }
  if (isKnown) return;
  const near = index.near('variable', name)[0];
  if (role === 'comparison') {
    findings.push({
      code: 'condition-bare-word',
      ...span(reference),
      values: { word: name },
      fixes: [replaceFix(reference.start, reference.end, `"${name}"`)],
    });
  } else if (role === 'condition') {
    findings.push({
      code: 'unset-variable',
      ...span(reference),
      values: { name, near: didYouMean(near) },
      ...(near !== undefined && { fixes: [replaceFix(reference.start, reference.end, near)] }),
    });
  } else {
    findings.push({
      code: 'unknown-interpolation',
      ...span(reference),
      ...(near !== undefined && { severity: 'warning' as const }),
      values: { name, effect: effectOfBraces(name, reference.note), near: didYouMean(near) },
      ...(near !== undefined && { fixes: [replaceFix(reference.start, reference.end, `{${near}}`)] }),
    });
  }
}

/** The effect of `{name}` for an unset variable. */
function effectOfBraces(name: string, note: string): LocalText {
  const braces = `{${name}}`;
  if (note === 'file')
    return {
      'zh-CN': `引擎会去找名字里带着 ${braces} 这几个字符的文件，找不到。`,
      en: `the engine looks for a file with the characters ${braces} in its name and does not find it.`,
    };
  if (note === 'label')
    return {
      'zh-CN': `引擎会去找名字里带着 ${braces} 这几个字符的标签，找不到就接着往下走。`,
      en: `the engine looks for a label with the characters ${braces} in its name, and without one goes on with the next line.`,
    };
  return { 'zh-CN': `玩家会看到 ${braces} 这几个字符。`, en: `the player sees the characters ${braces}.` };
}

function resolveCalculation(reference: Reference, isKnown: boolean, index: ProjectIndex, findings: Finding[]): void {
  const { name } = reference;
  const isWide = reference.note === 'wide';
  if (isKnown && !isWide && !index.inputs.has(name)) return;
  // One text is one mistake, however many names it contains.
  if (!isKnown && findings.some(({ code }) => code === 'setvar-text')) return;
  const { content } = new Statement(current, 0, 0);
  const equals = content.indexOf('=');
  const target = content.slice(0, equals).trim();
  const text = content.slice(equals + 1).trim();
  if (isWide) {
    findings.push(
      isKnown
        ? {
            code: 'non-ascii-expression',
            ...span(reference),
            values: { name, effect: { 'zh-CN': '变量会变成空。', en: 'the variable becomes empty.' } },
          }
        : {
            code: 'setvar-text',
            ...span(reference),
            values: {
              what: { 'zh-CN': '算式', en: 'a sum' },
              name: target,
              value: text,
              result: { 'zh-CN': '空', en: 'empty' },
            },
          },
    );
    return;
  }
  if (!isKnown) {
    findings.push({
      code: 'setvar-text',
      ...span(reference),
      values: {
        what: { 'zh-CN': '算式', en: 'a sum' },
        name: target,
        value: text,
        result: /[-*/]/.test(text)
          ? { 'zh-CN': '“不是数”（NaN）', en: '“not a number” (NaN)' }
          : { 'zh-CN': '连在一起的文字', en: 'text run together' },
      },
    });
    return;
  }
  if (
    index.inputs.has(name) &&
    new RegExp(`(?:^|[^*/\\-])\\s*${escapePattern(name)}\\s*\\+|\\+\\s*${escapePattern(name)}\\s*(?:$|\\+)`).test(text)
  ) {
    findings.push({
      code: 'input-number',
      ...span(reference),
      values: { name },
      fixes: [replaceFix(reference.start, reference.end, `${name}*1`)],
    });
  }
}

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function resolveRows(reference: Reference, index: ProjectIndex, findings: Finding[]): void {
  const set = Number.parseInt(index.configValue('Max_line') ?? '', 10);
  const most = Number.isInteger(set) && set > 0 ? set : reference.note === 'small' ? 3 : 2;
  if (Number(reference.name) <= most) return;
  findings.push({ code: 'too-many-rows', ...span(reference), values: { count: reference.name, most: String(most) } });
}

const RESOLVERS: ReadonlyMap<Reference['role'], Resolver> = new Map<Reference['role'], Resolver>([
  ['asset', resolveAsset],
  ['scene', resolveScene],
  ['loose-file', resolveLooseFile],
  ['animation', resolveAnimation],
  ['target', resolveTarget],
  ['condition', resolveVariable],
  ['comparison', resolveVariable],
  ['calculation', resolveVariable],
  ['interpolation', resolveVariable],
  ['maybe-speaker', resolveMaybeSpeaker],
  ['maybe-statement', resolveMaybeStatement],
  ['odd-speaker', resolveOddSpeaker],
  ['rows', resolveRows],
  ['old-command', resolveOldCommand],
]);
