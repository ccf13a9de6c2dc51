import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildStale } from './build.ts';
import { type ElectronRuntime, findElectron } from './electron/find-electron.ts';
import { installElectron } from './electron/install-electron.ts';

const OUT = join(import.meta.dirname, '..', 'out', 'main');
const FETCH_TIMEOUT_MS = 60_000;
/** A desktop program that exits with an error within this time has failed to start. */
const FAILED_START_MS = 5_000;

const isChinese = Intl.DateTimeFormat().resolvedOptions().locale.startsWith('zh');
const say = (zh: string, en: string): void => console.log(isChinese ? zh : en);

const { values } = parseArgs({
  options: {
    project: { type: 'string' },
    port: { type: 'string', default: '0' },
    host: { type: 'string' },
    open: { type: 'boolean', default: true },
  },
  allowNegative: true,
});

/** True unless the runtime is for tests only; that one is older than the pinned Electron and used on explicit request only. */
function isForUsers({ origin }: ElectronRuntime): boolean {
  return origin !== 'test' || values.host === 'electron';
}

type Reason = { zh: string; en: string };

/** Returns the program that opens the desktop window, or why there is none. */
async function findDesktop(): Promise<{ program: string } | { reason: Reason }> {
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    return { reason: { zh: '这台电脑没有图形桌面', en: 'there is no graphical desktop here' } };
  }
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    return { reason: { zh: '桌面窗口不能用 root 身份打开', en: 'a desktop window cannot be opened as root' } };
  }
  const present = await findElectron();
  if (present && isForUsers(present)) return { program: present.program };
  say('正在下载桌面窗口所需的 Electron（只需一次）…', 'Fetching Electron for the desktop window (only once)…');
  let shown = -1;
  const fetched = await installElectron(FETCH_TIMEOUT_MS, (share) => {
    const percent = Math.floor(share * 10) * 10;
    if (percent > shown) console.log(`  ${percent} %`);
    shown = Math.max(shown, percent);
  });
  if (fetched) return { program: fetched.program };
  return { reason: { zh: '一分钟内没能下载到 Electron', en: 'Electron could not be fetched within a minute' } };
}

function run(program: string, args: string[]): { child: ChildProcess; ended: Promise<number> } {
  const child = spawn(program, args, { stdio: 'inherit' });
  const ended = new Promise<number>((done) => {
    child.once('error', () => done(1));
    child.once('exit', (code, signal) => done(signal ? 0 : (code ?? 1)));
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return { child, ended };
}

function openWeb(project: string[]): Promise<number> {
  const args = ['start', ...project, '--port', values.port, ...(values.open ? [] : ['--no-open'])];
  return run(process.execPath, [join(OUT, 'cli.js'), ...args]).ended;
}

async function openDesktop(program: string, project: string[]): Promise<number | null> {
  const startedAt = Date.now();
  const code = await run(program, [join(OUT, 'electron.js'), ...project]).ended;
  return code !== 0 && Date.now() - startedAt < FAILED_START_MS ? null : code;
}

async function start(): Promise<number> {
  if (values.host !== undefined && values.host !== 'web' && values.host !== 'electron') {
    say(`--host 只能是 web 或 electron，不能是“${values.host}”。`, `--host is web or electron, not "${values.host}".`);
    return 2;
  }
  // npm runs scripts in the folder of package.json; relative paths refer to the user's current folder.
  const from = process.env.INIT_CWD ?? process.cwd();
  const project = values.project === undefined ? [] : ['--project', resolve(from, values.project)];
  await buildStale((line) => console.log(line));
  if (values.host === 'web') return openWeb(project);

  const desktop = await findDesktop();
  if ('program' in desktop) {
    const code = await openDesktop(desktop.program, project);
    if (code !== null) return code;
  }
  const reason = 'reason' in desktop ? desktop.reason : { zh: 'Electron 没能启动', en: 'Electron did not start' };
  if (values.host === 'electron') {
    say(`打不开桌面窗口：${reason.zh}。`, `The desktop window cannot be opened: ${reason.en}.`);
    return 1;
  }
  say(`改在浏览器里打开，因为${reason.zh}。`, `Opening in the browser instead, for ${reason.en}.`);
  return openWeb(project);
}

process.exitCode = await start();
