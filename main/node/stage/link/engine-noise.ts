import { isGamePath } from '../served-file.ts';

/** Files that every engine requests and few games have; folders; the app's own requests. */
const OPTIONAL_FILES = [
  /\/$/,
  /^lib\//,
  /^icons\//,
  /^manifest\.json$/,
  /^favicon\.ico$/,
  /^game\/userStyleSheet\.css$/,
  /^game\/template\//,
  /^game\/animation\/animationTable\.json$/,
];

const MEDIA = /\.(ogg|mp3|wav|m4a|flac|aac|opus|webm|mp4|png|jpe?g|webp|gif|svg|avif)$/i;

/** True for a picture, a sound or a film by its extension. */
export function isMediaPath(path: string): boolean {
  return MEDIA.test(path);
}

/**
 * Returns whether a file that is missing or damaged is worth reporting to the user: a file of the game, or a sound or picture that a
 * script made the engine look for beside itself.
 */
export function isReportedFile(path: string): boolean {
  // Engines fetch what a scene names before it is played, with the names of variables in the place of their values.
  if (/[{}]/.test(path) || OPTIONAL_FILES.some((pattern) => pattern.test(path))) return false;
  return isGamePath(path) || (!path.startsWith('assets/') && isMediaPath(path));
}

/** Language data: the engine's own messages. */
const HARMLESS_MESSAGES = [
  // Logged for every JSON value and every name that is no variable.
  /valueFromState result null, key = .*[{"[:]/,
  // A failed load; the 404 is already reported with the exact path.
  /status code 404|Failed to load/i,
  /正在跳转到|正在卸载|现在重置数据|加载模板文件失败/,
  /play\(\) (request|failed)|play was blocked|NotAllowedError|user didn't interact/i,
  /ResizeObserver loop/,
  /service.?worker/i,
  // Engines before 4.3 look for their editor at this port of the page's own host.
  /^wss?:\/\/stage-[0-9a-f]{16}\.localhost:9999\/?$/,
];

/** Returns whether an engine logs the line as a warning or error although there is no problem. */
export function isIdleTalk(text: string): boolean {
  return HARMLESS_MESSAGES.some((pattern) => pattern.test(text));
}
