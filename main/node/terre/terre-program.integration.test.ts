import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  findPort,
  installTerre,
  killTerre,
  readRequests,
  type StandInOptions,
} from '../../../tests/support/terre/install-terre.ts';
import { createTerreClient } from './terre-client.ts';
import { createTerreProgram, type TerreProgram } from './terre-program.ts';

let base: string;
let home: string;
let port: number;
let chosen: string | null;
let program: TerreProgram;
let other: Server | null;

beforeEach(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'terre-program-')));
  home = path.join(base, 'home');
  await mkdir(home);
  port = await findPort();
  [chosen, other] = [null, null];
  const environment = { ...process.env, WEBGAL_PORT: String(port - 1), WEBGAL_TERRE: undefined };
  program = createTerreProgram({
    client: createTerreClient(environment),
    environment,
    folders: { home, data: path.join(base, 'data') },
    readChosen: async () => chosen,
  });
});
afterEach(async () => {
  await program.stop();
  other?.closeAllConnections();
  await new Promise((resolve) => (other ? other.close(resolve) : resolve(null)));
  await rm(base, { recursive: true, force: true });
});

const signal = () => new AbortController().signal;
const install = async (name: string, options: StandInOptions = { games: {} }) => {
  const folder = path.join(base, name);
  await installTerre(folder, options);
  return folder;
};
const reasonOf = (typed: string) =>
  program.check(typed).then(
    () => 'taken',
    (error: { code: string; reason: string }) => `${error.code} ${error.reason}`,
  );

// The stand-in is a script with a first line that only these systems read.
describe.skipIf(process.platform === 'win32')('the folder of Terre', () => {
  it('is taken as its path, as that of the program, with quotes, with ~, and through a link', async () => {
    const folder = await install('home/My Terre');
    await symlink(folder, path.join(base, 'link'));
    for (const typed of [
      folder,
      `"${folder}"`,
      path.join(folder, 'WebGAL_Terre'),
      '~/My Terre',
      path.join(base, 'link'),
    ])
      expect([typed, await program.check(typed)]).toEqual([typed, folder]);
  });

  it('is refused with the reason where it holds no Terre that may be started', async () => {
    const folder = await install('terre');
    const refused: [string, string][] = [
      ['terre', 'notAbsolute'],
      ['', 'notAbsolute'],
      ['//server/share/terre', 'elsewhere'],
      ['\\\\server\\share', 'elsewhere'],
      [path.join(base, 'missing'), 'gone'],
      [base, 'notTerre'],
    ];
    for (const [typed, reason] of refused)
      expect([typed, await reasonOf(typed)]).toEqual([typed, `E_BAD_ARGS terre.${reason}`]);
    await rm(path.join(folder, 'assets'), { recursive: true });
    expect(await reasonOf(folder)).toBe('E_BAD_ARGS terre.notTerre');
    await mkdir(path.join(folder, 'assets'));
    await chmod(path.join(folder, 'WebGAL_Terre'), 0o644);
    expect(await reasonOf(folder)).toBe('E_BAD_ARGS terre.notAllowed');
    // The name of the program leads to another program.
    await rm(path.join(folder, 'WebGAL_Terre'));
    await symlink('/bin/sh', path.join(folder, 'WebGAL_Terre'));
    expect(await reasonOf(folder)).toBe('E_BAD_ARGS terre.notTerre');
  });

  it('is not taken from inside an open game, also through a link or where it was chosen before', async () => {
    const folder = await install('game/tools/WebGAL_Terre');
    await symlink(folder, path.join(home, 'WebGAL_Terre'));
    const release = program.guard(path.join(base, 'game'));
    expect(await reasonOf(folder)).toBe('E_BAD_ARGS terre.inGame');
    expect(await reasonOf(path.join(home, 'WebGAL_Terre'))).toBe('E_BAD_ARGS terre.inGame');
    expect(await program.state()).toMatchObject({ folder: null, source: null });
    chosen = folder;
    expect(await program.state()).toMatchObject({ source: 'chosen', problem: 'inGame' });
    await expect(program.start(signal())).rejects.toMatchObject({ code: 'E_PREVIEW_FAIL', reason: 'terre.inGame' });
    expect(await readRequests(folder)).toEqual(['']);
    release();
    expect(await program.check(folder)).toBe(folder);
  });

  it('that was chosen is the only one, and one that is gone is named', async () => {
    const usual = await install('home/WebGAL_Terre');
    expect(await program.state()).toMatchObject({ folder: '~/WebGAL_Terre', source: 'usual', status: 'off', port });
    chosen = await install('mine');
    expect(await program.state()).toMatchObject({ folder: chosen, source: 'chosen', problem: null });
    await rm(chosen, { recursive: true });
    expect(await program.state()).toMatchObject({ folder: chosen, source: 'chosen', problem: 'gone' });
    await expect(program.start(signal())).rejects.toMatchObject({ reason: 'terre.gone' });
    expect(await readRequests(usual)).toEqual(['']);
  });
});

describe.skipIf(process.platform === 'win32')('the program Terre', () => {
  it('is started once by several requests, reports it, writes a log without colours, and is ended', async () => {
    const folder = await install('home/WebGAL_Terre', { games: {}, startsAfter: 300 });
    const seen: string[] = [];
    program.on(() => void program.state().then(({ status }) => seen.push(status)));
    const started = Promise.all([program.start(signal()), program.start(signal())]);
    await expect.poll(async () => (await program.state()).status).toBe('starting');
    await started;
    expect((await program.state()).status).toBe('started');
    expect((await readRequests(folder)).filter((line) => line.startsWith('START'))).toHaveLength(1);
    expect(await program.readLog()).toEqual(['Nest application starts']);
    await program.stop();
    expect((await program.state()).status).toBe('off');
    await expect.poll(() => seen).toEqual(expect.arrayContaining(['starting', 'started', 'off']));
  });

  it('has a log that begins anew before it gets too long', async () => {
    const folder = await install('home/WebGAL_Terre');
    const script = path.join(folder, 'WebGAL_Terre');
    const lines = (await readFile(script, 'utf8')).split('\n');
    await writeFile(
      script,
      [lines[0], "head -c 20000000 /dev/zero | tr '\\0' x", 'echo', ...lines.slice(1)].join('\n'),
    );
    await program.start(signal());
    await expect.poll(() => program.readLog()).toContain('Nest application starts');
    expect((await stat(path.join(base, 'data/logs/terre.log'))).size).toBeLessThan(8 * 1024 * 1024);
  });

  it('is not ended where the user started it', async () => {
    await install('home/WebGAL_Terre');
    await program.start(signal());
    const environment = { ...process.env, WEBGAL_PORT: String(port - 1) };
    const second = createTerreProgram({
      ...{ client: createTerreClient(environment), environment, readChosen: async () => null },
      folders: { home, data: path.join(base, 'second') },
    });
    await second.start(signal());
    expect((await second.state()).status).toBe('running');
    await second.stop();
    expect((await second.state()).status).toBe('running');
  });

  it('that dies is reported as off, and can be started again', async () => {
    const folder = await install('home/WebGAL_Terre');
    await program.start(signal());
    await killTerre(folder);
    await expect.poll(async () => (await program.state()).status, { timeout: 5_000 }).toBe('off');
    await program.start(signal());
    expect((await program.state()).status).toBe('started');
  });

  it('that ends at once is a failed start with its output, and one that is stopped meanwhile is none', async () => {
    const folder = await install('home/WebGAL_Terre');
    await writeFile(path.join(folder, 'WebGAL_Terre'), '#!/bin/sh\necho "no such library" >&2\nexit 3\n');
    await expect(program.start(signal())).rejects.toMatchObject({ code: 'E_PREVIEW_FAIL', reason: 'terre.notStarted' });
    expect(await program.readLog()).toEqual(['no such library']);
    await writeFile(path.join(folder, 'WebGAL_Terre'), '#!/bin/sh\nexec sleep 60\n');
    const starting = program.start(signal());
    await expect.poll(async () => (await program.state()).status).toBe('starting');
    await program.stop();
    await starting;
    expect((await program.state()).status).toBe('off');
  });

  it.each(['hello', 'redirect', 'silence', 'endless'] as const)(
    'is not started beside another program on its port that answers with %s',
    async (answer) => {
      const folder = await install('home/WebGAL_Terre');
      other = createServer((_request, response) => {
        if (answer === 'hello') response.end('hello');
        else if (answer === 'redirect') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
        else if (answer === 'endless') {
          const more = () => {
            while (response.write('WebGAL Terre Application API Test OK'.repeat(2000)));
            response.once('drain', more);
          };
          more();
        }
      });
      await new Promise<void>((resolve) => other?.listen(port, '127.0.0.1', resolve));
      await expect(program.start(signal())).rejects.toMatchObject({
        reason: 'terre.occupied',
        details: { port },
      });
      expect((await program.state()).status).toBe('other');
      expect(await readRequests(folder)).toEqual(['']);
    },
    15_000,
  );

  it('receives none of the app’s keys', async () => {
    const folder = await install('home/WebGAL_Terre');
    process.env.SECRET_KEY_OF_TEST = 'sk';
    try {
      await program.start(signal());
    } finally {
      delete process.env.SECRET_KEY_OF_TEST;
    }
    expect(await readFile(path.join(folder, 'requests.log'), 'utf8')).not.toContain('SECRET');
  });

  it('ends with the app, also when that is killed', async () => {
    const folder = await install('terre');
    const modules = ['./terre-client.ts', './terre-program.ts'].map((each) => new URL(each, import.meta.url).href);
    const script = `
      const [{ createTerreClient }, { createTerreProgram }] = await Promise.all(${JSON.stringify(modules)}.map((each) => import(each)));
      const environment = { PATH: process.env.PATH, WEBGAL_PORT: '${port - 1}' };
      const client = createTerreClient(environment);
      const folders = ${JSON.stringify({ home, data: path.join(base, 'data') })};
      const readChosen = async () => ${JSON.stringify(folder)};
      await createTerreProgram({ client, environment, folders, readChosen }).start(AbortSignal.timeout(60_000));
      console.log('started');
      setInterval(() => undefined, 1000);`;
    const app = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(app.stdout, 'data');
    const client = createTerreClient({ WEBGAL_PORT: String(port - 1) });
    expect(await client.findProgram(signal())).toBe('terre');
    app.kill('SIGKILL');
    await expect.poll(() => client.findProgram(signal())).toBe('none');
  });
});
