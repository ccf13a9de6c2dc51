import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReader } from '../../main/node/project-fs/project-files.ts';
import { copySample } from '../../scripts/copy-sample.ts';
import { diagnoseProject } from '../../shared/script/diagnostics/diagnose.ts';
import { createProjectIndex } from '../../shared/script/project-index/project-facts.ts';
import { playFolder } from '../support/games/play-game.ts';

let sample: string;
let reader: ReturnType<typeof createReader>;

beforeAll(async () => {
  sample = await mkdtemp(join(tmpdir(), 'webgal-agent-sample-'));
  await copySample(sample);
  reader = createReader(sample);
});
afterAll(() => rm(sample, { recursive: true, force: true }));

describe('the sample game', () => {
  it('is played to its end on the engine, each line and option, without a finding', { timeout: 120_000 }, async () => {
    const report = await playFolder({ root: sample, reader });
    const { status, findings, coverage, options, endings } = report;
    expect([status, findings, options.taken, endings.map(({ route }) => route !== null)]).toEqual([
      'complete',
      [],
      options.total,
      [true],
    ]);
    expect([coverage.lines > 50, coverage.played]).toEqual([true, coverage.lines]);
  });

  it('has no findings', async () => {
    const files = (await reader.list('.', { recursive: true })).filter((file) => !file.isDirectory);
    const index = createProjectIndex({ engineVersion: '4.5.18' });
    index.setFiles(files.map((file) => file.path));
    for (const { path } of files) {
      if (/\.(txt|json)$/.test(path)) index.setText(path, (await reader.read(path)).text);
    }
    expect([...index.scenes()]).toHaveLength(3);
    expect(diagnoseProject(index, { locale: 'zh-CN' })).toEqual([]);
  });

  it('ships without the programs that make its art and music', async () => {
    expect((await readdir(sample)).sort()).toEqual(['LICENSE.txt', 'game']);
  });

  it('uses each of its pictures and sounds, and stays below 4 MiB', async () => {
    const files = (await reader.list('game', { recursive: true })).filter((file) => !file.isDirectory);
    const texts = await Promise.all(
      files.filter(({ path }) => path.endsWith('.txt')).map(async ({ path }) => (await reader.read(path)).text),
    );
    const media = files.filter(({ path }) => /\.(webp|wav)$/.test(path));
    expect(media.filter(({ path }) => !texts.join('\n').includes(path.split('/').slice(2).join('/')))).toEqual([]);
    expect(files.reduce((sum, file) => sum + file.bytes, 0)).toBeLessThan(4 * 1024 * 1024);
  });
});
