import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diagnoseProject } from '../diagnostics/diagnose.ts';
import { createProjectIndex, type ProjectIndex } from '../project-index/project-facts.ts';
import { buildStoryGraph, unreachableLines } from '../story/story-graph.ts';

const toPath = (name: string) => `game/scene/${name}.txt`;

function createStory(scenes: Record<string, string>): ProjectIndex {
  const index = createProjectIndex();
  for (const [name, text] of Object.entries(scenes)) index.setScene(toPath(name), text);
  return index;
}

function find(scenes: Record<string, string>, ...codes: string[]): string[] {
  return diagnoseProject(createStory(scenes), { locale: 'en' })
    .filter(({ code }) => codes.includes(code))
    .map(({ path, line, code }) => `${path.slice('game/scene/'.length)}:${line} ${code}`);
}

describe('the flow of the story', () => {
  test('continues after a call when the called scene ends, also through a scene change, with its variables', () => {
    const scenes = {
      start: 'callScene:shop.txt;\nA:{coins} -when=coins>0;\nend;',
      shop: 'A:店;\nchangeScene:till.txt;',
      till: 'setVar:coins=3;\nA:找钱;',
    };
    expect(find(scenes, 'read-before-set', 'no-ending', 'unreachable-scene')).toEqual([]);
    expect(find({ ...scenes, till: 'A:找钱;\nend;\nsetVar:coins=3;' }, 'read-before-set', 'unreachable')).toEqual([
      'till.txt:3 unreachable',
    ]);
  });

  test('says that the story comes back from a call before it breaks off', () => {
    const tell = (text: string) =>
      diagnoseProject(createStory({ start: text, shop: 'A:店;' }), { locale: 'en' }).find(
        ({ code }) => code === 'no-ending',
      )?.message;
    expect(tell('A:hi;\ncallScene:shop.txt;')).toMatch(/^When the called scene is over, the story comes back here/);
    expect(tell('callScene:shop.txt;\nA:hi;')).toMatch(/^The story breaks off here/);
  });

  test('treats a target from a variable as any existing one', () => {
    const scenes = {
      start: 'setVar:n=2;\njumpLabel:part{n};\nend;\nlabel:part1;\nA:一;\nlabel:part2;\nchangeScene:chapter{n}.txt;',
      chapter2: 'A:二;\nend;',
      other: 'A:x;\nend;',
    };
    // The label may not exist: then the next line follows.
    expect(find(scenes, 'unreachable', 'unreachable-scene', 'story-without-ending', 'unused-label')).toEqual([]);
    const graph = buildStoryGraph(createStory(scenes));
    expect(graph.edges.map(({ from, to }) => [from, to].map((id) => id.slice('game/scene/'.length)))).toEqual([
      ['start.txt#0', 'start.txt#2'],
      ['start.txt#0', 'start.txt#3'],
      ['start.txt#2', 'start.txt#3'],
      ['start.txt#3', 'chapter2.txt#0'],
    ]);
  });

  describe('knows which figures an animation can reach', () => {
    const missed = (scenes: Record<string, string>) => find(scenes, 'target-not-on-stage');
    const move = 'setAnimation:shake -target=';

    test.each([
      ['that no scene shows', `${move}fig-left;`],
      ['that stands in another place', `changeFigure:a.png -right;\n${move}fig-left;`],
      ['that was taken off', `changeFigure:a.png -id=hero;\nA:hi;\nchangeFigure:none -id=hero;\n${move}hero;`],
      [
        'that was taken off in a run before',
        `changeFigure:a.png;\nlabel:x;\nchangeFigure:none;\nlabel:y;\n${move}fig-center;`,
      ],
      ['that a switched off place does not show', `changeFigure:a.png -left=false;\n${move}fig-left;`],
      ['that only another run shows', `${move}fig-left -next;\njumpLabel:x;\nchangeFigure:a.png -left;\nlabel:x;`],
      ['that comes after the story has waited', `${move}fig-left -next;\nA:hi;\nchangeFigure:a.png -left;`],
    ])('and tells one %s', (_name, text) => {
      const line = text.split('\n').findIndex((one) => one.startsWith(move)) + 1;
      expect(missed({ start: `${text}\nA:hi;\nend;` })).toEqual([`start.txt:${line} target-not-on-stage`]);
    });

    test.each([
      ['that one way shows', `changeFigure:a.png -left -when=n>1;\nA:hi;\n${move}fig-left;`],
      ['that one way takes off', `changeFigure:a.png -left;\nchangeFigure:none -left -when=n>1;\n${move}fig-left;`],
      [
        'that a later part of a loop shows',
        `label:x;\n${move}fig-left;\nA:hi;\nchangeFigure:a.png -left;\njumpLabel:x;`,
      ],
      ['that is shown before the story waits', `${move}fig-left -next;\nchangeFigure:a.png -left;`],
      ['that is shown in the run after', `${move}fig-left -next;\nlabel:x;\nchangeFigure:a.png -left -next;`],
      ['that a switched off place leaves in the middle', `changeFigure:a.png -left=false;\n${move}fig-center;`],
      [
        'that a line after an open choice shows',
        `choose:x:x -next;\nchangeFigure:a.png -left -next;\nA:hi;\nend;\nlabel:x;\n${move}fig-left;`,
      ],
      [
        'that a line after an open choice shows in another scene',
        `choose:x:two.txt -next;\nchangeFigure:a.png -left -next;`,
        `${move}fig-left;\nA:hi;\nend;`,
      ],
      [
        'that a line after an open change of scene shows',
        `changeScene:two.txt -next;\nchangeFigure:a.png -left -next;`,
        `${move}fig-left;\nA:hi;\nend;`,
      ],
      ['that the last of two places shows', `changeFigure:a.png -left -right;\n${move}fig-right;`],
      ['whose id a variable gives', `changeFigure:a.png -id={who};\nA:hi;\n${move}hero;\nchangeFigure:a.png -id=hero;`],
      ['whose id is called like a place', `changeFigure:a.png -id=fig-left;\n${move}fig-left;`],
      ['in lines that are never reached', `end;\n${move}fig-left;`],
    ])('and tells none %s', (_name, text, two = 'end;') => {
      expect(missed({ start: `${text}\nA:hi;\nend;`, two })).toEqual([]);
    });

    test('and no figure that a line behind the pause of an open choice shows', () => {
      const start = `choose:x:x -next;\nA:hi;\nlabel:y;\nchangeFigure:a.png -left;\nend;\nlabel:x;\n${move}fig-left;\nend;`;
      expect(missed({ start })).toEqual(['start.txt:7 target-not-on-stage']);
    });

    test('from the scene before, and from a called one', () => {
      const two = `A:hi;\n${move}fig-left;\n${move}fig-right;\nend;`;
      expect(missed({ start: 'changeFigure:a.png -left;\nchangeScene:two.txt;', two })).toEqual([
        'two.txt:3 target-not-on-stage',
      ]);
      const called = 'changeFigure:a.png -left;\nchangeFigure:a.png -right;\nA:hi;';
      expect(missed({ start: `callScene:called.txt;\n${two}`, called })).toEqual([]);
    });
  });

  test('does not reach a scene that only unreachable lines lead to', () => {
    const scenes = { start: 'A:hi;\nend;\nchangeScene:two.txt;', two: 'A:hi;\nend;' };
    expect(find(scenes, 'unreachable', 'unreachable-scene')).toEqual([
      'start.txt:3 unreachable',
      'two.txt:1 unreachable-scene',
    ]);
  });

  test('reports a run of unreachable lines as one finding over its whole range', () => {
    const index = createStory({ start: 'end;\nA:一;\n\nlabel:x;\nA:二;\njumpLabel:x;\n; 注' });
    const [found] = diagnoseProject(index, { locale: 'en' }).filter(({ code }) => code === 'unreachable');
    expect([found?.line, found?.column, found?.endLine, found?.endColumn]).toEqual([2, 1, 6, 13]);
    expect(unreachableLines(index, toPath('start'))).toEqual([{ first: 2, last: 6 }]);
  });

  test('reads what is set while a choice is open', () => {
    const scene = (next: string) =>
      `choose:x:x${next};\nsetVar:hp=5;\nA:c;\nend;\nlabel:x;\nsetVar:hp=hp+1;\nA:{hp};\nend;`;
    const codes = ['calculation-before-set', 'read-before-set'] as const;
    expect(find({ start: scene(' -next') }, ...codes)).toEqual([]);
    expect(find({ start: `setVar:q=1;\n${scene('')}` }, ...codes)).toHaveLength(1);
  });

  test('counts persistent variables, settings and player input as set', () => {
    const read = 'A:x -when=seen>0;\nA:{name};\nA:{Game_name};\ngetUserInput:name;\nchangeScene:two.txt;';
    const index = createStory({ start: read, two: 'setVar:seen=1 -global;\nA:{name};\nend;' });
    index.setConfig('Game_name:x;');
    const found = () => diagnoseProject(index, { locale: 'en' }).filter(({ code }) => code === 'read-before-set');
    expect(found().map(({ path, line }) => [path, line])).toEqual([[toPath('start'), 2]]);
    index.setScene(toPath('two'), 'setVar:seen=1;\nA:{name};\nend;');
    expect(found().map(({ line }) => line)).toEqual([1, 2]);
  });

  test('reports recursive calls, and a call that never returns', () => {
    const scenes = {
      start: 'A:hi;\ncallScene:a.txt;\ncallScene:shop.txt;\nend;',
      a: 'callScene:b.txt;',
      b: 'A:x;\ncallScene:a.txt;',
      shop: 'A:店;\nchangeScene:start.txt;',
    };
    expect(find(scenes, 'recursive-call', 'call-left-open').sort()).toEqual([
      'a.txt:1 recursive-call',
      'b.txt:2 recursive-call',
      'start.txt:3 call-left-open',
    ]);
  });
});

describe('incremental edits', () => {
  const line = fc.constantFrom(
    'A:hi;',
    'A:{v} -when=w>0;',
    'setVar:v=1;',
    'setVar:w=w+1;',
    'label:a;',
    'label:b;',
    'jumpLabel:a;',
    'jumpLabel:{v};',
    'choose:一:a|二:b|三:two.txt;',
    'changeScene:start.txt;',
    'changeScene:two.txt -when=v>1;',
    'callScene:two.txt;',
    'callScene:start.txt;',
    'changeFigure:x.png -id=x;',
    'changeFigure:none -id=x;',
    'changeBg:y.png;',
    'bgm:z.mp3;',
    'end;',
    '',
  );
  const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));

  test('yield in every scene the findings of a new index', () => {
    const edit = fc.tuple(fc.constantFrom('start', 'two', 'three'), fc.option(text));
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
        const index = createProjectIndex();
        const kept = new Map<string, string>();
        for (const [name, now] of edits) {
          if (now === null) {
            index.removeScene(toPath(name));
            kept.delete(name);
          } else {
            index.setScene(toPath(name), now);
            kept.set(name, now);
          }
          const known = diagnoseProject(index, { locale: 'en' });
          expect(known).toEqual(diagnoseProject(createStory(Object.fromEntries(kept)), { locale: 'en' }));
          expect(buildStoryGraph(index).nodes.length).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 120 },
    );
  });
});

describe('very large stories', () => {
  const count = 4000;
  const each = (text: (n: number) => string) => Array.from({ length: count }, (_, n) => text(n));

  test.each([
    ['a chain of choices with exponentially many paths', each((n) => `choose:一:l${n}|二:l${n};\nlabel:l${n};`)],
    ['every jump to every label', each((n) => `jumpLabel:{x${n}};\nlabel:l${n};`)],
    ['a variable per line', each((n) => `setVar:a${n}=a${n + 1};\nA:{a${n}} -when=a${n + 1}>0;\nlabel:l${n};`)],
    [
      'a track and a figure per run of lines',
      each((n) => `bgm:${n}.mp3;\nchangeFigure:x.png -id=f${n};\nlabel:l${n};`),
    ],
    ['a call per line', each(() => 'callScene:start.txt;')],
  ])('finish in bounded time: %s', (_name, lines) => {
    const index = createStory({ start: lines.join('\n') });
    expect(diagnoseProject(index, { locale: 'en' }).length).toBeGreaterThan(0);
  });

  test('finish in bounded time: a chain of scenes', () => {
    const index = createStory({ start: 'changeScene:0.txt;' });
    for (let n = 0; n < 1000; n += 1)
      index.setScene(toPath(String(n)), `callScene:${n + 1}.txt;\nchangeScene:${n + 1}.txt;`);
    const codes = diagnoseProject(index, { locale: 'en' }).map(({ code }) => code);
    expect([codes.includes('recursive-call'), codes.includes('unreachable-scene')]).toEqual([false, false]);
  });
});
