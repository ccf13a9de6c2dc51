import type { Severity } from '../../shared/model/diagnostic.ts';
import type { Locale } from '../../shared/model/text.ts';
import type { CheckedGame } from '../compose-check.ts';

/** The texts of the command line in the system's language. */
export interface CommandLineText {
  locale: Locale;
  help: string;
  /** A reference to the help, printed after a usage error. */
  seeHelp: string;
  ready(url: string): string;
  stopHint: string;
  cannotOpenProject(folder: string, reason: string): string;
  severalGames(folder: string, names: readonly string[]): string;
  /** Describes the holder of the lease from the details of the error. */
  heldElsewhere(holder: Readonly<Record<string, unknown>>): string;
  cannotStart(reason: string): string;
  severities: Record<Severity, string>;
  /** Appended to a finding that represents `count` of them: the places of the others. */
  repeats(count: number, places: readonly string[], isCut: boolean): string;
  checked(summary: CheckedGame['summary']): string;
  tooManyWarnings(count: number, most: number): string;
  /** The title of the fixes of a check in the history. */
  fixTitle: string;
}

const TEXTS: Record<Locale, CommandLineText> = {
  'zh-CN': {
    locale: 'zh-CN',
    help: `用法：webgal-agent [命令] [选项]

命令
  start    在浏览器里打开应用（不写命令时就是它）
  serve    同上，供脚本使用
  mcp      把工具提供给其他智能体：webgal-agent mcp --project 文件夹 [选项]
  check    检查一个游戏的脚本：webgal-agent check 文件夹 [选项]

选项
  --project 文件夹   直接打开这个游戏
  --port 数字        使用的端口，0 表示任意空闲端口（默认 0）
  --no-open          不自动打开浏览器，只给出链接
  --json             准备好后输出一行 JSON，其中有 url
  -h, --help         显示这段说明
  -v, --version      显示版本

mcp 的选项（通过标准输入输出说 MCP 协议，提示写在标准错误里）
  --project 文件夹          游戏的文件夹
  --allow-write             可以直接改文件；不写时只读，除非对方能逐次征得你的同意
  --developer-mode          可以运行 package.json 里的脚本和无界面浏览器
  --snapshot-retention 数字 每个文件保留多少份改动前的文字（至少 1，默认 20）
  --preview 方式            embedded（自带引擎）、terre 或 dev（默认 embedded）

check 的选项
  --format 格式        text、json 或 sarif（默认 text）
  --engine 版本        按这个引擎版本检查，例如 4.6.1（默认看游戏自己的）
  --lang 语言          zh 或 en（默认跟随系统）
  --max-warnings 数字  警告超过这个数也算不通过
  --fix                先改好有把握的问题，改动可以在应用的历史里撤销
check 的退出码：0 没有错误，1 有错误，2 用法不对或没有游戏
`,
    seeHelp: '用法见 webgal-agent --help',
    ready: (url) => `WebGAL Agent 准备好了，请在浏览器里打开：\n  ${url}`,
    stopHint: '链接只能用一次。按 Ctrl+C 退出。',
    cannotOpenProject: (folder, reason) => `打不开 ${folder}：${reason}`,
    severalGames: (folder, names) => `${folder} 里有好几个游戏，请选其中一个的文件夹：${names.join('、')}`,
    heldElsewhere: ({ owner, pid, host, since }) =>
      `这个游戏正由 ${owner} 使用（${host} 上的进程 ${pid}，从 ${since} 开始）。请先关掉它，或去掉 --allow-write 以只读方式启动。`,
    cannotStart: (reason) => `没能启动：${reason}`,
    repeats: (count, places, isCut) => `（共 ${count} 处，还有 ${places.join('、')}${isCut ? '……' : ''}）`,
    severities: { error: '错误', warning: '警告', info: '提示' },
    checked: ({ files, lines, errors, warnings, infos, ms, fixed }) =>
      `${fixed === undefined ? '' : `改好了 ${fixed} 个文件。`}检查了 ${files} 个文件、${lines} 行：${errors} 个错误，${warnings} 个警告，${infos} 个提示（${ms} 毫秒）。`,
    tooManyWarnings: (count, most) => `有 ${count} 个警告，最多允许 ${most} 个。`,
    fixTitle: '命令行检查时的修正',
  },
  en: {
    locale: 'en',
    help: `Usage: webgal-agent [command] [options]

Commands
  start    open the app in your browser (this is the default)
  serve    the same, for scripts
  mcp      the tools for other agents: webgal-agent mcp --project DIR [options]
  check    check the scripts of a game: webgal-agent check DIR [options]

Options
  --project DIR   open this game at once
  --port N        the port to use, 0 for any free one (default 0)
  --no-open       do not open a browser, only print the link
  --json          print one line of JSON with the url when ready
  -h, --help      show this text
  -v, --version   show the version

Options of mcp (speaks MCP over standard input and output; words go to standard error)
  --project DIR           the folder of the game
  --allow-write           files may be changed; without it nothing is written, unless the
                          client can ask you each time
  --developer-mode        scripts of package.json and a headless browser may be used
  --snapshot-retention N  texts kept from before changes, per file (1 or more, default 20)
  --preview WHAT          embedded (the engine inside), terre or dev (default embedded)

Options of check
  --format FORMAT     text, json or sarif (default text)
  --engine VERSION    judge for this engine, such as 4.6.1 (default: the game's own)
  --lang LANG         zh or en (default: the system's)
  --max-warnings N    more warnings than this count as a failure
  --fix               first fix what is certain; the history of the app can undo it
check ends with 0 for no errors, 1 for errors, 2 for wrong options or without a game
`,
    seeHelp: 'See webgal-agent --help',
    ready: (url) => `WebGAL Agent is ready. Open it in your browser:\n  ${url}`,
    stopHint: 'The link works once. Press Ctrl+C to stop.',
    cannotOpenProject: (folder, reason) => `Could not open ${folder}: ${reason}`,
    severalGames: (folder, names) => `${folder} holds several games; name the folder of one: ${names.join(', ')}`,
    heldElsewhere: ({ owner, pid, host, since }) =>
      `this game is in use by ${owner} (process ${pid} on ${host}, since ${since}). Close it first, or start without --allow-write to read only.`,
    cannotStart: (reason) => `Could not start: ${reason}`,
    repeats: (count, places, isCut) => `(${count} times, also ${places.join(', ')}${isCut ? ' …' : ''})`,
    severities: { error: 'error', warning: 'warning', info: 'info' },
    checked: ({ files, lines, errors, warnings, infos, ms, fixed }) =>
      `${fixed === undefined ? '' : `Files fixed: ${fixed}. `}Checked ${count(files, 'file')}, ${count(lines, 'line')}: errors ${errors}, warnings ${warnings}, infos ${infos} (${ms} ms).`,
    tooManyWarnings: (warnings, most) =>
      `There ${warnings === 1 ? 'is' : 'are'} ${count(warnings, 'warning')}; at most ${most} ${most === 1 ? 'is' : 'are'} allowed.`,
    fixTitle: 'Fixes of a check on the command line',
  },
};

const count = (amount: number, noun: string) => `${amount} ${noun}${amount === 1 ? '' : 's'}`;

/** `locale` is the system's language tag, such as `zh-Hans-CN`. */
export function createCommandLineText(locale: string): CommandLineText {
  const locales = Object.keys(TEXTS) as Locale[];
  return TEXTS[locales.find((known) => known.slice(0, 2) === locale.slice(0, 2).toLowerCase()) ?? 'en'];
}
