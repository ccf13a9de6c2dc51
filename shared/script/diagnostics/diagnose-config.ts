import { say } from '../../i18n/diagnostics.ts';
import { createModelPartTest, isLeftBySystem } from '../../paths/figure-files.ts';
import { isEngineAtLeast } from '../engine/engine-version.ts';
import { flowOfStory } from '../flow/story-flow.ts';
import type { NameCounts } from '../project-index/name-counts.ts';
import { findNearNames } from '../project-index/near-names.ts';
import { type ConfigEntry, scanConfig } from '../project-index/project-config.ts';
import { CONFIG_PATH, type ProjectIndex, START_PATH } from '../project-index/project-facts.ts';
import type { UsedFiles } from '../project-index/used-files.ts';
import { MAX_OLD_COMMANDS } from '../references/resolve-references.ts';
import type { Finding, PlacedFinding } from '../syntax/line-report.ts';
import { replaceFix } from '../syntax/line-report.ts';

/** True for text that Terre appends to a value it has cut: `- A=true - A=true` after a value that still contains A. */
function isResidue(lost: string, kept: string): boolean {
  return lost.split(/(?:^| )-/).every((part) => {
    const name = part.trim();
    return name === '' || (name.endsWith('=true') && kept.includes(name.slice(0, -5).trim()));
  });
}

/**
 * Whether the engine reads `Default_Language` and `Enable_Appreciation`. 4.5.11 always shows the gallery and reads
 * neither key, 4.5.14 reads both (from published builds; the versions in between were not available).
 */
const hasStartSettings = (version: string) => isEngineAtLeast(version, '4.5.14');

const LANGUAGES = ['zh_CN', 'zh_TW', 'en', 'ja', 'fr', 'de'];
const LANGUAGES_461 = [...LANGUAGES, 'pt_BR', 'ko'];

/** Findings in config.txt. `text` replaces the text in the index. */
export function diagnoseConfig(index: ProjectIndex, text?: string): PlacedFinding[] {
  const entries = text === undefined ? index.config : scanConfig(text);
  if (entries === null) return [];
  const found: PlacedFinding[] = [];
  for (const entry of entries) {
    for (const finding of [...checkEntry(entry, index), ...checkConfigFiles(entry, index)])
      found.push({ line: entry.line, finding });
  }
  const first = entries[0];
  const mark = { start: 0, end: Math.max(1, first?.keyEnd ?? 1) };
  if (
    hasStartSettings(index.engineVersion) &&
    !entries.some(({ key, value }) => key === 'Default_Language' && value !== '')
  )
    found.push({ line: 0, finding: { code: 'config-language', ...mark } });
  if (!entries.some((entry) => entry.key === 'Game_key'))
    found.push({ line: 0, finding: { code: 'config-game-key', ...mark } });
  return found;
}

/** Engines cut values at ` -` since they read config.txt by the parser of scenes: published builds of 4.4.4 do not, those of 4.4.5 do. */
const cutsConfig = (index: ProjectIndex): boolean => isEngineAtLeast(index.engineVersion, '4.4.5');

/** Findings about the key and the value of an entry. */
function* checkEntry(entry: ConfigEntry, index: ProjectIndex): Generator<Finding> {
  if (/\s$/.test(entry.text.slice(0, entry.keyEnd))) {
    const trimmed = entry.text.slice(0, entry.keyEnd).trimEnd().length;
    yield {
      code: 'config-key-space',
      start: trimmed,
      end: entry.keyEnd,
      values: { value: entry.value },
      fixes: [replaceFix(trimmed, entry.keyEnd, '')],
    };
  }
  if (entry.lost !== '' && entry.key === 'Game_name' && cutsConfig(index) && !isResidue(entry.lost, entry.value)) {
    yield {
      code: 'config-cut-value',
      start: entry.valueEnd,
      end: entry.text.length,
      values: { lost: entry.lost, key: entry.key, kept: entry.value },
    };
  }
  if (entry.key === 'Game_key' && entry.value === '')
    yield { code: 'config-game-key', start: 0, end: Math.max(1, entry.keyEnd) };
  // The engine leaves out a key without a value.
  if (entry.key !== 'Default_Language' || entry.value === '') return;
  const allowed = isEngineAtLeast(index.engineVersion, '4.6.1') ? LANGUAGES_461 : LANGUAGES;
  if (allowed.includes(entry.value)) return;
  const near = findNearNames(entry.value, allowed, 1)[0];
  yield {
    code: 'config-language-value',
    start: entry.valueStart,
    end: Math.max(entry.valueEnd, entry.valueStart + 1),
    values: { value: entry.value, allowed: allowed.join(', ') },
    ...(near !== undefined && { fixes: [replaceFix(entry.valueStart, entry.valueEnd, near)] }),
  };
}

/** The folders of the files that a key names, separated by `|`. */
export const CONFIG_FOLDERS: ReadonlyMap<string, string> = new Map([
  ['Title_img', 'background'],
  ['Game_Logo', 'background'],
  ['Title_bgm', 'bgm'],
]);

/** Findings about missing files that an entry names. */
function* checkConfigFiles(entry: ConfigEntry, index: ProjectIndex): Generator<Finding> {
  const folder = CONFIG_FOLDERS.get(entry.key);
  if (folder === undefined || !index.files.isKnown) return;
  for (const name of entry.value.split('|').map((part) => part.trim())) {
    if (name === '' || /^none$/i.test(name) || /https?:\/\//.test(name) || index.files.hasInFolder(folder, name))
      continue;
    const cut = index.files.cutOff(folder, name);
    const start = entry.valueStart + Math.max(0, entry.text.slice(entry.valueStart).indexOf(name));
    const end = start + name.length;
    const effect = say('notes.titleWithout');
    if (cut !== undefined) {
      if (!cutsConfig(index)) continue;
      yield { code: 'file-name-dash', severity: 'warning', start, end, values: { actual: cut, file: name, effect } };
      continue;
    }
    const near = index.files.near(folder, name);
    const suggestion = near.length === 0 ? '' : say('notes.nearFiles', { names: near });
    yield {
      code: 'missing-file',
      severity: 'warning',
      start,
      end,
      values: { folder: `game/${folder}`, file: name, effect, near: suggestion },
      ...(near.length > 0 && { fixes: near.map((other) => replaceFix(start, end, other)) }),
    };
  }
}

/** Folders whose files are of no use unless a script names them. */
const USED_FOLDERS = ['background', 'figure', 'bgm', 'vocal', 'video'].map((folder) => `game/${folder}/`);

/** Findings about files: required files that are missing, unused files, unreachable scenes. */
export function* diagnoseFiles(index: ProjectIndex): Generator<{ path: string; line?: number; finding: Finding }> {
  const mark = { start: 0, end: 1 };
  if (index.files.isKnown) {
    if (!index.files.has(START_PATH)) yield { path: START_PATH, finding: { code: 'missing-start', ...mark } };
    if (!index.files.has(CONFIG_PATH)) yield { path: CONFIG_PATH, finding: { code: 'missing-config', ...mark } };
  }
  const used = index.usedFiles();
  const story = flowOfStory(index);
  for (const { path } of index.scenes()) {
    if (!story.isReached(path)) yield { path, finding: { code: 'unreachable-scene', ...mark } };
  }
  if (!story.isFinite) yield { path: START_PATH, finding: { code: 'story-without-ending', ...mark } };
  for (const entry of index.config ?? []) {
    for (const name of entry.value.split('|')) {
      for (const folder of ['background', 'bgm']) {
        const whole = index.files.cutOff(folder, name.trim()) ?? name.trim();
        used.add(`game/${folder}/${whole}`);
      }
    }
  }
  const models = modelFolders(used);
  // An unused model is reported once, without its parts.
  const isPart = createModelPartTest(index.files.all());
  const orphan: Finding = { code: 'orphan-file', ...mark };
  // Which files an unreadable start (encrypted, for example) uses is unknown, and so is what its scenes use.
  const isStartUnread = index.files.has(START_PATH) && index.scene(START_PATH) === undefined;
  for (const path of isStartUnread ? [] : index.files.all()) {
    const folder = USED_FOLDERS.find((one) => path.startsWith(one));
    if (folder === undefined) continue;
    // A variable may contain a plain file name.
    if (used.has(path, folder)) continue;
    // Files beside a model belong to it.
    if (models.size > 0 && models.has(figureFolder(path))) continue;
    if (isPart(path) || isLeftBySystem(path.slice(path.lastIndexOf('/') + 1))) continue;
    yield { path, finding: orphan };
  }
  yield* diagnoseOwnCommands(index, 'engine-command', index.engineCommands);
  if (index.oldCommands.total > MAX_OLD_COMMANDS) yield* diagnoseOwnCommands(index, 'old-command', index.oldCommands);
  if (
    hasStartSettings(index.engineVersion) &&
    index.hasUnlocks &&
    index.config !== null &&
    index.configValue('Enable_Appreciation') !== 'true'
  ) {
    yield { path: CONFIG_PATH, finding: { code: 'gallery-off', ...mark } };
  }
}

/** Folders directly below `game/figure` that contain a used model. */
function modelFolders(used: UsedFiles): Set<string> {
  const folders = new Set<string>();
  for (const name of used.names()) {
    if (/[nl]$/i.test(name) && /\.(jsonl?|skel)$/.test(name.toLowerCase())) folders.add(figureFolder(name));
  }
  folders.delete('');
  return folders;
}

/** The folder directly below `game/figure` of a path, in lower case; empty when there is none. */
function figureFolder(path: string): string {
  return /^game\/figure\/[^/]+\//.exec(path.toLowerCase())?.[0] ?? '';
}

/** One finding for all lines of a kind, at the first of them. */
function* diagnoseOwnCommands(
  index: ProjectIndex,
  role: 'engine-command' | 'old-command',
  counts: NameCounts,
): Generator<{ path: string; line: number; finding: Finding }> {
  if (counts.total === 0) return;
  const names = [...counts.entries()].sort((one, other) => other[1] - one[1]).map(([name]) => name);
  const shown = `${names.slice(0, 5).join(', ')}${names.length > 5 ? '…' : ''}`;
  const values = { count: String(counts.total), names: shown, version: index.engineVersion };
  const paths = [...index.scenes()].map((scene) => scene.path).sort();
  for (const path of paths) {
    const records = index.scene(path)?.records ?? [];
    const line = records.findIndex((record) => record.references?.some((reference) => reference.role === role));
    if (line < 0) continue;
    const end = records[line]?.references?.find((reference) => reference.role === role)?.end ?? 1;
    yield { path, line, finding: { code: `${role}s`, start: 0, end, values } };
    return;
  }
}
