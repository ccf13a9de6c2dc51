import { say } from '../../i18n/diagnostics.ts';
import { isMisreadAsAddress } from '../../paths/address-name.ts';
import { toVisible } from '../../text/shown-text.ts';
import { effectOfMissing, endingOf } from '../diagnostics/rules/files.ts';
import { toFilePath } from '../project-index/file-names.ts';
import { LIVE2D_RUNTIME, type ProjectIndex } from '../project-index/project-facts.ts';
import { type Finding, type Reference, replaceFix } from '../syntax/line-report.ts';
import { span } from './resolver.ts';

/** Checks that the file of a reference exists and can be shown. */
export function resolveAsset(reference: Reference, index: ProjectIndex, findings: Finding[], text: string): void {
  const { files } = index;
  const folder = reference.folder ?? 'background';
  if (!files.isKnown) return;
  const state = files.stateInFolder(folder, reference.name);
  if (state !== 'missing') {
    checkRuntime(reference, index, findings);
    if (state === 'unportable') addUnportable(reference, findings);
    else addAddress(reference, findings, folder);
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
  // With its folders, where it names some: the same name in another character's folder is another file.
  const whole = `/${reference.name.toLowerCase()}`;
  const elsewhere = files
    .withBaseName(reference.name)
    .filter((found) => !found.startsWith(`game/${folder}/`) && found.startsWith('game/'))
    .filter((found) => found.toLowerCase().endsWith(whole));
  const [other] = elsewhere;
  if (other !== undefined) {
    findings.push({
      code: 'wrong-folder',
      ...span(reference),
      values: { command: toCommand(reference), folder: `game/${folder}`, file: reference.name, actual: other },
    });
    return;
  }
  if (isClosingWord(reference, text)) {
    findings.push({
      code: 'closing-word',
      ...span(reference),
      values: { word: reference.name },
      fixes: [replaceFix(reference.start, reference.end, 'none')],
    });
    return;
  }
  addMissing(reference, index, findings, folder);
}

/** Returns how the user writes what needs the file: a voice belongs to a line without a command. */
const toCommand = ({ note = '' }: Reference): string => (note === 'say' ? '-vocal' : note);

/** Commands that take away what they showed when their content is `none`. */
const CLOSES_WITH_NONE = new Set(['changeBg', 'changeFigure', 'miniAvatar', 'bgm']);
/** Language data: words that published games write instead of `none`. */
const CLOSING_WORD = /^-?(?:none|close|clear|hide|remove|off|null|无|空|关闭|清除|隐藏)$/i;

/** True for a missing file whose name shows that nothing was meant. */
function isClosingWord({ name, note, start }: Reference, text: string): boolean {
  const isContent = text.slice(0, start).trimEnd().endsWith(':');
  return isContent && note !== undefined && CLOSES_WITH_NONE.has(note) && CLOSING_WORD.test(name);
}

function addUnportable(reference: Reference, findings: Finding[]): void {
  findings.push({ code: 'unportable-name', ...span(reference), values: { file: toVisible(reference.name) } });
}

/** Adds a finding for a file whose name means something else in an address: the engine asks for the name as it is written. */
function addAddress(reference: Reference, findings: Finding[], folder: string): void {
  if (!isMisreadAsAddress(reference.name)) return;
  const values = { file: toVisible(reference.name), effect: effectOfMissing(reference.note, folder) };
  findings.push({ code: 'file-name-address', ...span(reference), values });
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
      near: near.length === 0 ? '' : say('notes.nearFiles', { names: near }),
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

/** Checks that the scene of a reference exists. */
export function resolveScene(reference: Reference, index: ProjectIndex, findings: Finding[]): void {
  const { files } = index;
  if (!files.isKnown) return;
  if (files.hasInFolder('scene', reference.name)) {
    addAddress(reference, findings, 'scene');
    return;
  }
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
      near: near.length === 0 ? '' : say('notes.nearScenes', { names: near }),
    },
    ...(near.length > 0 && { fixes: near.map((name) => replaceFix(reference.start, reference.end, name)) }),
  });
}

/** A file after a word that is not a command: reported as missing when no folder has it. */
export function resolveLooseFile(reference: Reference, index: ProjectIndex, findings: Finding[]): void {
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
