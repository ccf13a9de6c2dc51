import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createReader } from '../../main/node/project-files.ts';
import { diagnoseProject } from '../../shared/script/diagnose.ts';
import { createProjectIndex } from '../../shared/script/project-facts.ts';

const SAMPLE = join(import.meta.dirname, '../../assets/sample-game');
const reader = createReader(SAMPLE);

/** The first game that a user sees must have no findings. */
describe('the sample game', () => {
  it('has no findings of our checker', async () => {
    const files = (await reader.list('.', { recursive: true })).filter((file) => !file.isDirectory);
    const index = createProjectIndex({ engineVersion: '4.5.18' });
    index.setFiles(files.map((file) => file.path));
    for (const { path } of files) {
      if (/\.(txt|json)$/.test(path)) index.setText(path, (await reader.read(path)).text);
    }
    expect([...index.scenes()]).toHaveLength(3);
    expect(diagnoseProject(index, { locale: 'zh-CN' })).toEqual([]);
  });

  it('uses all its media, and stays below the size limit', async () => {
    const files = (await reader.list('game', { recursive: true })).filter((file) => !file.isDirectory);
    const texts = await Promise.all(
      files.filter(({ path }) => path.endsWith('.txt')).map(async ({ path }) => (await reader.read(path)).text),
    );
    const media = files.filter(({ path }) => /\.(webp|wav)$/.test(path));
    expect(media.filter(({ path }) => !texts.join('\n').includes(path.split('/').slice(2).join('/')))).toEqual([]);
    expect(files.reduce((sum, file) => sum + file.bytes, 0)).toBeLessThan(4 * 1024 * 1024);
  });
});
