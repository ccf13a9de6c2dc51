import { LOCALES } from '../../shared/model/text.ts';

/** What the command line says, in the language of the system. */
export interface CommandLineText {
  help: string;
  notYet(command: string): string;
  ready(url: string): string;
  stopHint: string;
  cannotOpenProject(folder: string, reason: string): string;
  severalGames(folder: string, names: readonly string[]): string;
  cannotStart(reason: string): string;
}

const TEXTS: Record<(typeof LOCALES)[number], CommandLineText> = {
  'zh-CN': {
    help: `用法：webgal-agent [命令] [选项]

命令
  start    在浏览器里打开应用（不写命令时就是它）
  serve    同上，供脚本使用
  mcp      供其他智能体使用的工具（尚未提供）
  check    检查一个游戏的脚本（尚未提供）

选项
  --project 文件夹   直接打开这个游戏
  --port 数字        使用的端口，0 表示任意空闲端口（默认 0）
  --no-open          不自动打开浏览器，只给出链接
  --json             准备好后输出一行 JSON，其中有 url
  -h, --help         显示这段说明
  -v, --version      显示版本
`,
    notYet: (command) => `“${command}” 这个版本还没有。`,
    ready: (url) => `WebGAL Agent 准备好了，请在浏览器里打开：\n  ${url}`,
    stopHint: '链接只能用一次。按 Ctrl+C 退出。',
    cannotOpenProject: (folder, reason) => `打不开 ${folder}：${reason}`,
    severalGames: (folder, names) => `${folder} 里有好几个游戏，请选其中一个的文件夹：${names.join('、')}`,
    cannotStart: (reason) => `没能启动：${reason}`,
  },
  en: {
    help: `Usage: webgal-agent [command] [options]

Commands
  start    open the app in your browser (this is the default)
  serve    the same, for scripts
  mcp      the tools for other agents (not yet)
  check    check the scripts of a game (not yet)

Options
  --project DIR   open this game at once
  --port N        the port to use, 0 for any free one (default 0)
  --no-open       do not open a browser, only print the link
  --json          print one line of JSON with the url when ready
  -h, --help      show this text
  -v, --version   show the version
`,
    notYet: (command) => `"${command}" is not in this version yet.`,
    ready: (url) => `WebGAL Agent is ready. Open it in your browser:\n  ${url}`,
    stopHint: 'The link works once. Press Ctrl+C to stop.',
    cannotOpenProject: (folder, reason) => `Could not open ${folder}: ${reason}`,
    severalGames: (folder, names) => `${folder} holds several games; name the folder of one: ${names.join(', ')}`,
    cannotStart: (reason) => `Could not start: ${reason}`,
  },
};

/** `locale` is the system's language tag, such as `zh-Hans-CN`. */
export function createCommandLineText(locale: string): CommandLineText {
  return TEXTS[LOCALES.find((known) => known.slice(0, 2) === locale.slice(0, 2).toLowerCase()) ?? 'en'];
}
