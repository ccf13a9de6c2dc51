import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPassageIndex } from './passage-index.ts';

const { signal } = new AbortController();

async function search(files: Record<string, string>, query: string, limit = 10) {
  const index = createPassageIndex();
  await index.update(toFiles(files), signal);
  return index.search(query, limit).map(({ path, line }) => `${path}:${line}`);
}
const toFiles = (files: Record<string, string>) => Object.entries(files).map(([path, text]) => ({ path, text }));

describe('search', () => {
  test('ranks letter pairs above letters, and rare terms highest', async () => {
    const files = { a: '雪乃:海边真美;', b: '雪乃:边走边看海;', c: '雪乃:晴天;' };
    expect(await search(files, '海边')).toEqual(['a:1', 'b:1']);
    expect(await search(files, '雪乃 晴天')).toEqual(['c:1', 'a:1', 'b:1']);
  });

  test.each([
    ['ＲＡＩＮ', 'rain on the roof'],
    ['カフェ', '駅前のカフェへ行く'],
    ['비가', '밤에 비가 온다'],
    ['café', 'At the CAFÉ.'],
    ['Łódź', 'do łódź'],
    ['𠮷野', '在𠮷野家'],
    ['end_of_day', 'setVar:end_of_day=1;'],
  ])('%s is found in %s', async (query, text) => {
    expect(await search({ a: text, b: 'nothing like it here' }, query)).toEqual(['a:1']);
  });

  test('uses fuzzy and prefix matches only without exact ones', async () => {
    const files = { a: 'the lighthouse keeper', b: 'a lighthous was misspelt' };
    expect(await search(files, 'lighthouse')).toEqual(['a:1']);
    expect(await search(files, 'lighthousse')).toContain('a:1');
    expect((await search(files, 'lightho')).sort()).toEqual(['a:1', 'b:1']);
    expect(await search(files, 'lamp')).toEqual([]);
  });

  test('indexes words that are names of object members', async () => {
    const files = { a: 'constructor __proto__ toString', b: 'hasOwnProperty' };
    expect(await search(files, 'constructor')).toEqual(['a:1']);
    expect(await search(files, '__proto__')).toEqual(['a:1']);
  });
});

describe('update', () => {
  test('holds exactly the given texts', async () => {
    const index = createPassageIndex();
    const found = (query: string) => index.search(query, 10).map(({ path, text }) => [path, text]);
    await index.update(toFiles({ a: '雨夜', b: '晴天' }), signal);
    await index.update(toFiles({ a: '雨夜', b: '雨天', c: '雪' }), signal);
    expect(found('雨').sort()).toEqual([
      ['a', '雨夜'],
      ['b', '雨天'],
    ]);
    expect(found('晴')).toEqual([]);
    await index.update(toFiles({ c: '雪' }), signal);
    expect([found('雨'), found('雪')]).toEqual([[], [['c', '雪']]]);
    await index.update([], signal);
    expect(found('雪')).toEqual([]);
  });

  test('completes an aborted update with the next one', async () => {
    const index = createPassageIndex();
    const long = Array.from({ length: 5000 }, (_, line) => `第${line}句;`).join('\n');
    const stop = new AbortController();
    const stopped = index.update([{ path: 'long', text: `${long}\n灯塔;` }], stop.signal);
    stop.abort();
    await expect(stopped).rejects.toThrow();
    await index.update([{ path: 'long', text: `${long}\n灯塔;` }], signal);
    expect(index.search('灯塔', 10)).toHaveLength(1);
  });

  test('gives the same results as a new index after any edits', async () => {
    const word = fc.constantFrom('雨夜', '晴天', '雪乃', 'rain', 'lighthouse', '海');
    const text = fc.array(word, { maxLength: 30 }).map((words) => words.join('\n'));
    const state = fc.dictionary(fc.constantFrom('a', 'b', 'c'), text, { maxKeys: 3, noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(fc.array(state, { minLength: 1, maxLength: 4 }), word, async (states, query) => {
        const index = createPassageIndex();
        for (const one of states) await index.update(toFiles(one), signal);
        const fresh = createPassageIndex();
        await fresh.update(toFiles(states.at(-1) ?? {}), signal);
        const places = (from: typeof index) => new Set(from.search(query, 100).map(({ path }) => path));
        expect(places(index)).toEqual(places(fresh));
      }),
      { numRuns: 60 },
    );
  });
});
