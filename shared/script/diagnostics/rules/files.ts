import { type DiagnosticMessage, say } from '../../../i18n/diagnostics.ts';
import { type AssetFolder, FOLDER_ENDINGS } from '../../syntax/command-values.ts';
import type { LineReport } from '../../syntax/line-report.ts';
import { isPlaceholder } from '../../syntax/placeholders.ts';
import type { Statement } from '../../syntax/scan.ts';

const WHAT: Readonly<Record<AssetFolder, DiagnosticMessage>> = {
  background: say('kinds.background'),
  figure: say('kinds.figure'),
  bgm: say('kinds.bgm'),
  vocal: say('kinds.vocal'),
  video: say('kinds.video'),
  scene: say('kinds.scene'),
};

const FOLDER_EFFECTS: Readonly<Record<AssetFolder, DiagnosticMessage>> = {
  background: say('missing.background'),
  figure: say('missing.figure'),
  bgm: say('missing.bgm'),
  vocal: say('missing.vocal'),
  video: say('missing.video'),
  scene: say('missing.scene'),
};
const COMMAND_EFFECTS: ReadonlyMap<string, DiagnosticMessage> = new Map([
  ['unlockCg', say('missing.unlockCg')],
  ['unlockBgm', say('missing.unlockBgm')],
  ['miniAvatar', say('missing.miniAvatar')],
  ['intro', say('missing.intro')],
]);

/** The visible effect when a command does not find its file; empty when unknown. */
export function effectOfMissing(command: string, folder: string): DiagnosticMessage | '' {
  return COMMAND_EFFECTS.get(command) ?? FOLDER_EFFECTS[folder as AssetFolder] ?? '';
}

/** Reports a line whose file, scene or animation is a placeholder or missing. */
export function addNothingChosen(
  report: LineReport,
  place: { start: number; end: number; command: string; folder: AssetFolder | 'animation' },
): void {
  const { start, end, command, folder } = place;
  report.add('nothing-chosen', start, Math.max(end, start + 1), {
    values:
      folder === 'animation'
        ? { what: say('kinds.animation'), effect: say('missing.animation') }
        : { what: WHAT[folder], effect: effectOfMissing(command, folder) },
  });
}

/** Adds a reference to the file that a line names, or a finding when its type cannot work there. */
export function referToFile(
  statement: Statement,
  report: LineReport,
  file: { name: string; start: number; end: number; folder: AssetFolder },
): void {
  const { name, start, end, folder } = file;
  if (name === '' || name === 'none' || name.includes('{')) return;
  if (isPlaceholder(name)) {
    addNothingChosen(report, { start, end, command: statement.command?.name ?? '', folder });
    return;
  }
  if (name.includes('://') && /https?:\/\//.test(name)) return;
  const query = name.indexOf('?');
  const path = query < 0 ? name : name.slice(0, query);
  const allowed = FOLDER_ENDINGS[folder];
  const ending = endingOf(path);
  if (allowed !== null && ending !== '' && !allowed.includes(ending) && ANY_ENDING.has(ending)) {
    report.add('wrong-file-type', start, end, { values: { command: statement.command?.name ?? '', ending } });
    return;
  }
  report.refer(folder === 'scene' ? 'scene' : 'asset', path, start, end, {
    folder,
    note: statement.command?.name ?? '',
  });
}

const ANY_ENDING = new Set([...Object.values(FOLDER_ENDINGS).flatMap((endings) => endings ?? []), 'txt']);

/** The file name's extension in lower case, without the dot; empty when it has none. */
export function endingOf(path: string): string {
  const slash = path.lastIndexOf('/');
  const dot = path.lastIndexOf('.');
  return dot > slash ? path.slice(dot + 1).toLowerCase() : '';
}
