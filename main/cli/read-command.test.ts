import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LOCALES } from '../../shared/model/local-text.ts';
import { APP_VERSION } from '../app-version.ts';
import { readCommand } from './read-command.ts';

const SERVE = { kind: 'serve', project: null, port: 0, opens: true, json: false };
const CHECK = {
  kind: 'check',
  folder: resolve('x'),
  format: 'text',
  engineVersion: null,
  locale: null,
  maxWarnings: null,
  fixes: false,
};

const TEST = {
  kind: 'test',
  folder: resolve('x'),
  format: 'text',
  engine: null,
  locale: null,
  onlyTests: false,
  resumes: false,
  isQuiet: false,
  maxRoutes: null,
  maxMinutes: null,
  maxWarnings: null,
};

const MCP = {
  kind: 'mcp',
  project: resolve('game'),
  allowsWriting: false,
  developerMode: false,
  snapshotRetention: null,
  preview: 'embedded',
};

describe('a command line', () => {
  it.each([
    ['', SERVE],
    ['start', SERVE],
    ['serve --no-open', { ...SERVE, opens: false }],
    ['serve --json', { ...SERVE, opens: false, json: true }],
    ['--project game --port 8080', { ...SERVE, project: resolve('game'), port: 8080 }],
    [
      'serve --project=/a/b --port 0 --no-open --json',
      { ...SERVE, project: resolve('/a/b'), opens: false, json: true },
    ],
    ['test x --resume -q', { ...TEST, resumes: true, isQuiet: true }],
    ['test x --engine own', { ...TEST, engine: 'own' }],
    ['test x --only-tests --quiet --max-routes 9', { ...TEST, onlyTests: true, isQuiet: true, maxRoutes: 9 }],
    ['mcp --project game', MCP],
    ['mcp', { ...MCP, project: null }],
    [
      '--project=/a/b mcp --allow-write --developer-mode --snapshot-retention 5 --preview terre',
      {
        ...MCP,
        project: resolve('/a/b'),
        allowsWriting: true,
        developerMode: true,
        snapshotRetention: 5,
        preview: 'terre',
      },
    ],
    ['check x', CHECK],
    ['check -h', { kind: 'help' }],
    [
      '--format=json check x --engine 4.6.1 --lang zh --max-warnings 0 --fix',
      { ...CHECK, format: 'json', engineVersion: '4.6.1', locale: 'zh-CN', maxWarnings: 0, fixes: true },
    ],
    ['--help', { kind: 'help' }],
    ['mcp -h', { kind: 'help' }],
    ['-v', { kind: 'version', version: APP_VERSION }],
  ])('is parsed: %s', (line, command) => {
    expect(readCommand(line.split(' ').filter(Boolean))).toEqual(command);
  });

  it.each(LOCALES)('checks in each language of the app: %s', (locale) => {
    expect(readCommand(['check', 'x', '--lang', locale])).toEqual({ ...CHECK, locale });
  });

  it('lists the languages of the app when a check asks for another one', () => {
    const command = readCommand(['check', 'x', '--lang', 'fr']);
    for (const locale of LOCALES) expect(command).toMatchObject({ message: expect.stringContaining(locale) });
  });

  it.each([
    'stat',
    'start more',
    '--prot 80',
    '--port',
    '--port eighty',
    '--port 65536',
    '--port -1',
    '--project=',
    'serve --fix',
    'mcp game',
    'mcp --project=',
    'mcp --project a b',
    'mcp --project a --port 80',
    'mcp --project a --preview firefox',
    'mcp --project a --snapshot-retention -1',
    'mcp --project a --snapshot-retention 0',
    'mcp --project a --allow-write=no',
    'check',
    'check a b',
    'check a --resume',
    'test',
    'test a b',
    'test a --max-routes 0',
    'test a --only-tests --resume',
    'check a --port 80',
    'check a --format xml',
    'check a --engine latest',
    'check a --lang __proto__',
    'check a --lang fr',
    'check a --lang=',
    'check a --max-warnings -1',
    'check a --max-warnings few',
  ])('is rejected with a message: %s', (line) => {
    expect(readCommand(line.split(' '))).toEqual({ kind: 'misused', message: expect.stringMatching(/\w+ \w+/) });
  });
});
