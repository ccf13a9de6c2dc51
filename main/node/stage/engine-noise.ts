import { isGamePath } from './served-file.ts';

/** Files every engine asks for and few games have; folders; the app's own business. */
const OPTIONAL = [
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

/**
 * True when a file that is not there is news to the writer: one of the game's, or a sound or picture that a script made
 * the engine look for beside itself.
 */
export function isMissingFile(path: string): boolean {
  if (OPTIONAL.some((pattern) => pattern.test(path))) return false;
  return isGamePath(path) || (!path.startsWith('assets/') && MEDIA.test(path));
}

const IDLE_TALK = [
  // Said about every JSON value and every name that is no variable.
  /valueFromState result null, key = .*[{"[:]/,
  // A failed load; the 404 has been noticed already, with the exact path.
  /status code 404|Failed to load/i,
  /正在跳转到|正在卸载|现在重置数据|加载模板文件失败/,
  /play\(\) (request|failed)|play was blocked|NotAllowedError|user didn't interact/i,
  /ResizeObserver loop/,
  /service.?worker/i,
];

/** True for lines an engine logs as warnings or errors although nothing is the matter. */
export function isIdleTalk(text: string): boolean {
  return IDLE_TALK.some((pattern) => pattern.test(text));
}
