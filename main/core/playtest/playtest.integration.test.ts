import { afterAll, describe, expect, it } from 'vitest';
import { playtestTexts } from '../../../shared/i18n/playtest.ts';
import type { StoryTest } from '../../../shared/model/playtest/story-test.ts';
import { splitDialogue } from '../../../shared/script/language-features/split-dialogue.ts';
import { toFaultyGame } from '../../../tests/support/games/faulty-game.ts';
import { CONFIG, createPlayer } from '../../../tests/support/games/play-game.ts';
import { createProjectFolder, type ProjectFolder } from '../../../tests/support/games/project-folder.ts';
import { walkStory } from '../../../tests/support/games/walk-story.ts';
import { toPlaytestText } from './format-report.ts';
import { readStoryTests } from './read-story-tests.ts';

const TIMEOUT_MS = 120_000;
const games: ProjectFolder[] = [];
const { play, dispose } = createPlayer();

afterAll(async () => {
  await dispose();
  for (const game of games) await game.dispose();
});

const scene = (...lines: string[]): string => lines.join('\n');

describe('a playtest on the real engine', () => {
  it.each([3, 14])('finds each planted fault and nothing else, seed %i', { timeout: TIMEOUT_MS }, async (seed) => {
    const { files, faults } = toFaultyGame(seed);
    const report = await play(files);
    const found = report.findings.map(({ code, place }) => `${code} ${place.path}:${place.line}`);
    // The condition before the unreachable ending is never true either.
    const jump = faults.find(({ code }) => code === 'unreachable-ending');
    const expected = faults.map(({ code, path, line }) => `${code} ${path}:${line}`);
    if (jump) expected.push(`never-true ${jump.path}:${jump.line - 3}`);
    expect([report.status, found.sort()]).toEqual(['complete', expected.sort()]);
  });

  it('covers exactly the lines that a walk of the text reaches', { timeout: TIMEOUT_MS }, async () => {
    const files = {
      'game/scene/start.txt': scene(
        '; a comment',
        'A:one;',
        'choose:Left:left|Right:right|Again:top;',
        'A:dead code;',
        'label:top;',
        'A:top;',
        'changeScene:map.txt;',
        'label:left;',
        'callScene:memory.txt;',
        'A:back;',
        'jumpLabel:top;',
        'label:right;',
        'A:right;',
        'end;',
      ),
      'game/scene/memory.txt': scene(
        'A:a memory;',
        '',
        'choose:Long:long|Short:short;',
        'label:long;',
        'A:long;',
        'label:short;',
        'A:short;',
      ),
      'game/scene/map.txt': scene('A:map;', 'choose:Shop:shop.txt|Home:home.txt|Start again:start.txt;'),
      'game/scene/shop.txt': scene('A:shop;', 'changeScene:map.txt;', 'A:dead code;'),
      'game/scene/home.txt': scene('A:home;', 'end;'),
      'game/scene/draft.txt': scene('A:draft;', 'end;'),
    };
    const report = await play(files);
    const walked = walkStory(files);
    const covered = new Map(
      report.coverage.scenes.map(({ path, never }) => {
        const isNever = (line: number) => never.some(({ first, last }) => line >= first && line <= last);
        const lines = (files as Record<string, string>)[path]?.split('\n') ?? [];
        const counted = lines.flatMap((text, at) => (/^(;|label:|\s*$)/.test(text) ? [] : at + 1));
        return [path, counted.filter((line) => !isNever(line))];
      }),
    );
    for (const path of Object.keys(files)) expect([path, covered.get(path)]).toEqual([path, walked.get(path) ?? []]);
    expect(report.status).toBe('complete');
  });

  it('reaches what needs several rounds, by the engine’s own conditions', { timeout: TIMEOUT_MS }, async () => {
    const report = await play({
      'game/scene/start.txt': scene('setVar:trust=0;', 'changeScene:map.txt;'),
      'game/scene/map.txt': scene('choose:Visit:visit.txt|(trust>2)->Confess:good.txt|Leave:bad.txt;'),
      'game/scene/visit.txt': scene('A:hello;', 'setVar:trust=trust+1;', 'changeScene:map.txt;'),
      'game/scene/good.txt': scene('A:yes;', 'end;'),
      'game/scene/bad.txt': scene('A:no;', 'end;'),
    });
    expect(report.findings).toEqual([]);
    expect(report.status).toBe('complete');
    expect(report.endings.map(({ place, route }) => [place.path, route?.map(({ text }) => text)])).toEqual([
      ['game/scene/bad.txt', ['Leave']],
      ['game/scene/good.txt', ['Visit', 'Visit', 'Visit', 'Confess']],
    ]);
  });

  it('stops at the limit of routes and says so', { timeout: TIMEOUT_MS }, async () => {
    const report = await play(
      {
        'game/scene/start.txt': scene(
          'setVar:n=0;',
          'label:top;',
          'setVar:n=n+1;',
          'choose:More:top|End:end;',
          'label:end;',
          'A:x -when=n<0;',
          'end;',
        ),
      },
      { budget: { maxRoutes: 3, maxMs: 60_000 } },
    );
    expect([report.status, report.routes.length, report.findings]).toEqual(['budget', 3, []]);
  });

  it('passes pauses, introductions and questions without waiting for them', { timeout: TIMEOUT_MS }, async () => {
    const report = await play({
      'game/scene/start.txt': scene(
        'wait:600000;',
        'intro:one|two|three -delayTime=60000;',
        'intro:one|two|three -userForward -delayTime=1500;',
        'intro:one|two -hold;',
        'getUserInput:name -title=Name -defaultValue=Kim;',
        'A:hello {name};',
        'A:you are Kim -when=name=="Kim";',
        'A:auto -notend;',
        'A: and on -concat;',
        'setTransform:{"position":{"x":100}} -target=fig-center -duration=900000;',
        'end;',
      ),
    });
    expect([report.findings, report.coverage.played, report.endings[0]?.route]).toEqual([[], 11, []]);
    expect(report.ms).toBeLessThan(60_000);
  });

  it('knows the settings of the game as variables', { timeout: TIMEOUT_MS }, async () => {
    const report = await play({
      'game/config.txt': `${CONFIG}Mine:5;\n`,
      'game/scene/start.txt': scene('setVar:mine=Mine;', 'A:five -when=mine==5;', 'A:named -when=Mine==5;', 'end;'),
    });
    expect([report.findings, report.coverage.played]).toEqual([[], 4]);
  });

  it('reports what it has when it is stopped', { timeout: TIMEOUT_MS }, async () => {
    const stop = new AbortController();
    const report = await play(
      {
        'game/scene/start.txt': scene(
          'A:one;',
          'choose:A:a|B:b;',
          'label:a;',
          'A:a;',
          'end;',
          'label:b;',
          'A:b;',
          'end;',
        ),
      },
      { signal: stop.signal, onProgress: () => stop.abort() },
    );
    expect([report.status, report.coverage.played > 0, report.options.taken]).toEqual(['stopped', true, 0]);
  });
});

describe('the tests of a story', () => {
  const files = {
    'game/scene/start.txt': scene(
      'setVar:affection=0;',
      'getUserInput:name -defaultValue=Kim;',
      'choose:Be kind:kind|Be cold:cold;',
      'label:kind;',
      'setVar:affection=affection+3;',
      'label:cold;',
      'A:and then {name}?;',
      'choose:Stay:good.txt|Leave:bad.txt;',
    ),
    // The ending is the scene of the `end`, not the one that was entered last.
    'game/scene/good.txt': scene('A:together;', 'callScene:aside.txt;', 'setVar:affection=affection+1;', 'end;'),
    'game/scene/aside.txt': scene('A:aside;'),
    'game/scene/bad.txt': scene('A:alone;', 'end;'),
  };
  const warm: StoryTest = {
    name: 'warm',
    choose: ['Be kind', 'Stay'],
    inputs: ['Lee'],
    expect: {
      ending: 'good',
      scene: 'good.txt',
      variables: [
        { name: 'affection', is: '>=', value: 4 },
        { name: 'name', is: '==', value: 'Lee' },
      ],
    },
  };

  it('pass and fail by what the engine does, each from the start', { timeout: TIMEOUT_MS }, async () => {
    const tests: StoryTest[] = [
      warm,
      { ...warm, name: 'too much', expect: { variables: [{ name: 'affection', is: '>', value: 4 }] } },
      {
        name: 'cold',
        choose: ['Be cold', 'Stay'],
        expect: {
          variables: [
            { name: 'affection', is: '<', value: 3 },
            { name: 'name', is: '==', value: 'Kim' },
          ],
        },
      },
      { name: 'other', choose: ['Be kind', 'Leave'], expect: { ending: 'good.txt' } },
      { name: 'missing', choose: ['Be rude'], expect: {} },
      { name: 'open', choose: ['Be kind'], expect: { ending: 'good.txt' } },
      { name: 'late', choose: ['Be kind', 'Leave', 'Return'], expect: {} },
    ];
    const report = await play(files, { tests, onlyTests: true });
    expect(report.tests.map(({ name, failure }) => [name, failure?.reason ?? 'passed', failure?.found ?? ''])).toEqual([
      ['warm', 'passed', ''],
      ['too much', 'variable', '4'],
      ['cold', 'passed', ''],
      ['other', 'other-ending', 'game/scene/bad.txt'],
      ['missing', 'no-option', 'Be kind | Be cold'],
      ['open', 'waits', 'start.txt:8'],
      ['late', 'ended', 'bad.txt:2'],
    ]);
    expect(report).toMatchObject({ status: 'complete', findings: [], routes: [], endings: [], scenes: [] });
    expect([report.coverage.scenes, report.options]).toEqual([[], { total: 0, taken: 0 }]);
    const text = toPlaytestText(report, playtestTexts.createTranslator('en')).split('\n');
    expect([text.length, text[7]]).toEqual([9, expect.stringMatching(/^Story tests: 2 of 7 passed \(.+ s\)\.$/)]);
  });

  it('are read from the game, and a mistake is named', async () => {
    const game = await createProjectFolder({ 'game/config.txt': CONFIG });
    games.push(game);
    expect(await readStoryTests(game.reader)).toEqual([]);
    await game.put('game/story-tests.json', JSON.stringify({ tests: [warm] }));
    expect(await readStoryTests(game.reader)).toEqual([warm]);
    await game.put('game/story-tests.json', '{"tests":[{"name":"x","choose":["A"],"expect":{"endng":"good"}}]}');
    await expect(readStoryTests(game.reader)).rejects.toMatchObject({
      code: 'E_BAD_ARGS',
      reason: 'playtest.badTests',
      message: expect.stringContaining('endng'),
    });
  });
});

describe('a text that does not fit the text box', () => {
  it('is reported with what players do not see', { timeout: TIMEOUT_MS }, async () => {
    const long = '今天的海很安静，你听潮声一遍遍地漫上来。';
    const report = await play({
      'game/scene/start.txt': scene(
        'A:short;',
        `A:${long}${long};`,
        `A:${long.repeat(8)};`,
        'A:one|two|three|four;',
        'A:one|two;',
        'end;',
      ),
    });
    const found = report.findings.map(({ code, place, subject }) => [code, place.line, subject]);
    expect(found).toEqual([
      ['text-overflow', 3, expect.stringMatching(/。$/)],
      ['text-overflow', 4, 'three|four'],
    ]);
    const hidden = String(found[0]?.[2]);
    expect([long.repeat(8).endsWith(hidden), hidden.length < long.length * 7]).toEqual([true, true]);
  });

  it('is found where a word is longer than a row, and not where it is long and fits', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const report = await play({
      'game/scene/start.txt': scene(
        `A:${'春'.repeat(76)};`,
        `A:${'W'.repeat(120)};`,
        `A:${'W'.repeat(26)} and more;`,
        `A:See https://example.com/${'path/'.repeat(20)};`,
        `A:${'many words '.repeat(8)};`,
        'end;',
      ),
    });
    expect(report.findings.map(({ code, place, subject }) => [code, place.line, subject])).toEqual([
      ['text-overflow', 2, expect.stringMatching(/^W{40,100}$/)],
    ]);
  });

  it('can be divided where players do not see more than a report shows', { timeout: TIMEOUT_MS }, async () => {
    const line = `A:${'今天的海很安静，你听潮声一遍遍地漫上来。'.repeat(45)};`;
    const { findings } = await play({ 'game/scene/start.txt': scene(line, 'end;') });
    const [{ subject = '', hidden = 0 } = {}] = findings;
    expect([findings.length, subject.length, hidden > 600]).toEqual([1, 500, true]);
    const edit = splitDialogue(line, { line: 1, hidden: subject, length: hidden });
    expect(edit?.newText.split('\n')).toEqual([expect.stringMatching(/^A:.+。;$/), expect.stringMatching(/^A:.+。;$/)]);
    expect(edit?.newText.indexOf('\n')).toBeLessThan(line.length - hidden + 5);
  });

  it('measures a text box that has arrived where a picture beside it moves it', { timeout: TIMEOUT_MS }, async () => {
    // Fits in the whole box, and not beside a picture.
    const text = '春'.repeat(74);
    const report = await play({
      'game/figure/face.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      'game/scene/start.txt': scene(
        'miniAvatar:face.svg;',
        'A:one;',
        'miniAvatar:none;',
        `A:${text};`,
        'miniAvatar:face.svg;',
        `A:${text}。;`,
        'end;',
      ),
    });
    expect(report.findings.map(({ code, place }) => [code, place.line])).toEqual([['text-overflow', 6]]);
  });
});
