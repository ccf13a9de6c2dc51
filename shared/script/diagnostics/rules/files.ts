import type { LocalText } from '../../../model/text.ts';
import { type AssetFolder, FOLDER_ENDINGS } from '../../syntax/command-values.ts';
import { isPlaceholder } from '../../syntax/placeholders.ts';
import type { Statement } from '../../syntax/scan.ts';
import type { LineReport } from '../line-report.ts';

const WHAT: Readonly<Record<AssetFolder, LocalText>> = {
  background: { 'zh-CN': '图片', en: 'picture' },
  figure: { 'zh-CN': '立绘', en: 'figure' },
  bgm: { 'zh-CN': '音乐', en: 'music' },
  vocal: { 'zh-CN': '声音', en: 'sound' },
  video: { 'zh-CN': '视频', en: 'video' },
  scene: { 'zh-CN': '场景', en: 'scene' },
};

const FOLDER_EFFECTS: Readonly<Record<AssetFolder, LocalText>> = {
  background: { 'zh-CN': '背景会是黑的。', en: 'the background stays black.' },
  figure: { 'zh-CN': '立绘不会出现。', en: 'the figure does not appear.' },
  bgm: { 'zh-CN': '听不到音乐。', en: 'there is no music.' },
  vocal: { 'zh-CN': '听不到声音。', en: 'nothing is heard.' },
  video: { 'zh-CN': '视频不会播放，要点击才能继续。', en: 'the video does not play and the story waits for a click.' },
  scene: { 'zh-CN': '故事会接着执行下一行。', en: 'the story goes on with the next line.' },
};
const COMMAND_EFFECTS: ReadonlyMap<string, LocalText> = new Map([
  ['unlockCg', { 'zh-CN': '鉴赏里这一格是空的。', en: 'its place in the gallery stays empty.' }],
  ['unlockBgm', { 'zh-CN': '鉴赏里这一首放不出来。', en: 'the gallery cannot play it.' }],
  ['miniAvatar', { 'zh-CN': '小头像不会出现。', en: 'the portrait does not appear.' }],
  ['intro', { 'zh-CN': '文字后面没有图片。', en: 'there is no picture behind the text.' }],
]);

/** The visible effect when a command does not find its file; empty when unknown. */
export function effectOfMissing(command: string, folder: string): LocalText | '' {
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
        ? { what: { 'zh-CN': '动画', en: 'animation' }, effect: { 'zh-CN': '什么也不会动。', en: 'nothing moves.' } }
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
