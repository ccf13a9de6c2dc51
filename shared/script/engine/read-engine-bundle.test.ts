import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ENGINE_COMMANDS } from '../../../tests/support/engine-commands.ts';
import { readEngineBundle } from './read-engine-bundle.ts';

/** With one that no published engine has. */
const NAMES = [...ENGINE_COMMANDS, 'hotspot'];

describe('readEngineBundle', () => {
  test('reads builds since 4.5', () => {
    const table = NAMES.map((name) => `${name}:Ot(ft.${name},h${name})`).join();
    const text = `x;aTe="4.6.2",MU={version:aTe};f={${table}};const n=Me(e,"series")??"";if(s.key==="left"){}`;
    expect(readEngineBundle(text)).toEqual({
      version: '4.6.2',
      commands: NAMES,
      arguments: ['series', 'left'],
      effects: [],
    });
  });

  test('reads a version with a revision', () => {
    expect(readEngineBundle('x;aTe="4.5.15-1",MU={version:aTe};').version).toBe('4.5.15');
  });

  test('reads builds since 4.2', () => {
    const list = NAMES.map((name) => `{scriptString:"${name}",scriptType:J.${name},scriptFunction:f}`).join();
    const found = readEngineBundle(`pe.info("WebGAL 4.2.15"),pe=[${list}]`);
    expect([found.version, found.commands]).toEqual(['4.2.15', NAMES]);
  });

  test('reads builds before 4.2', () => {
    const cases = NAMES.map((name) => `case"${name}":return se.${name};`).join('');
    const found = readEngineBundle(`switch(e){${cases}}lt.info("WebGAL 4.1.4")`);
    expect([found.version, found.commands]).toEqual(['4.1.4', NAMES]);
  });

  test('reads the effects', () => {
    const text = 'B("cherryBlossoms",{fg:()=>1});B("rain",{fg:()=>2});B("fireflies",{fg:()=>3});C("no",{});';
    expect(readEngineBundle(text).effects).toEqual(['cherryBlossoms', 'rain', 'fireflies']);
  });

  test('returns nothing for other text', () => {
    expect(readEngineBundle('alert("changeBg")')).toEqual({ version: null, commands: [], arguments: [], effects: [] });
  });

  test('limits the size of the lists', () => {
    const many = Array.from({ length: 9000 }, (_, at) => `f(e,"name${at}");`).join('');
    expect(readEngineBundle(many).arguments).toHaveLength(2000);
  });

  test.each([
    ['")'.repeat(200_000), 'closing quotes'],
    ['={version:'.repeat(100_000), 'versions'],
    [`changeBg:a(b.changeBg,${',x:a(b.'.repeat(100_000)}`, 'tables'],
    ['$'.repeat(1_000_000), 'one word'],
    [`("rain",{${'a("'.repeat(200_000)}`, 'effects'],
  ])('takes linear time for hostile text', (text) => {
    expect(readEngineBundle(text).commands).toEqual([]);
  });

  const own = globSync('node_modules/webgal-engine/dist/assets/index-*.js')[0] ?? '';
  test.skipIf(!existsSync(own))('reads the published engine', () => {
    const { version, commands, arguments: names } = readEngineBundle(readFileSync(own, 'utf8'));
    expect(version).toBe('4.5.18');
    expect(commands).toEqual(expect.arrayContaining(['say', 'setTempAnimation', 'callSteam', 'wait']));
    expect(names).toEqual(expect.arrayContaining(['unlockname', 'keep', 'left']));
    expect(names).not.toContain('ruleButtonText');
  });
});
