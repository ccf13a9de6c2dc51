import { describe, expect, test } from 'vitest';
import { createProjectIndex } from '../project-index/project-facts.ts';
import { diagnoseProject, diagnoseScene } from './diagnose.ts';

function beach() {
  const index = createProjectIndex();
  index.setFiles([
    'game/config.txt',
    'game/scene/start.txt',
    'game/background/beach.jpg',
    'game/figure/yukino.png',
    'game/bgm/beach_bgm.mp3',
  ]);
  index.setScene('game/scene/start.txt', ':欢迎来到 WebGAL;\nend;');
  return index;
}

/** Findings for a script fragment, as `validate_script` reports them. */
const judge = (text: string) => diagnoseScene(beach(), null, { locale: 'zh-CN', text });
const isValid = (text: string) => judge(text).every((found) => found.severity !== 'error');

describe('diagnoseScene for a fragment', () => {
  test('reports a missing semicolon as information, with its line', () => {
    const found = judge('changeBg: beach.jpg\n雪乃: 你好');
    expect(found.map(({ line, kind, severity }) => [line, kind, severity])).toEqual([
      [1, 'syntax', 'info'],
      [2, 'syntax', 'info'],
    ]);
  });

  test('reports an unknown command as a syntax problem', () => {
    expect(judge('unknownCmd: test;').map(({ kind, code }) => [kind, code])).toEqual([['syntax', 'unknown-command']]);
  });

  test.each([
    'changeBg: nonexistent.jpg;',
    'changeFigure: missing.png;',
    'bgm: missing.mp3;',
    'playVocal: missing.mp3;',
    'changeScene: missing.txt;',
  ])('reports the missing file in %s', (line) => {
    expect(isValid(line)).toBe(false);
    expect(
      judge(line)
        .filter((found) => found.kind === 'resource')
        .map((found) => found.line),
    ).toEqual([1]);
  });

  test('includes similar names in the message', () => {
    expect(judge('changeBg:baech.jpg;')[0]?.message).toContain('beach.jpg');
  });

  test.each([
    'changeBg: beach.jpg;\n雪乃: 你好;\nchangeFigure: yukino.png;\nbgm: beach_bgm.mp3;',
    'bgm: none;\nchangeFigure: none;',
    ':这是一个测试场景;\nsetVar:name=测试角色;\nintro:欢迎来到测试场景;\nend;',
    '',
    ';\n\n; 注释\n',
  ])('reports nothing for %j', (text) => {
    expect(judge(text)).toEqual([]);
  });

  test('leaves the index unchanged', () => {
    const index = beach();
    const before = diagnoseProject(index, { locale: 'en' });
    diagnoseScene(index, null, { locale: 'en', text: 'setVar:fresh=1;\n新人:你好;' });
    expect(index.hasVariable('fresh')).toBe(false);
    expect(index.speakers.has('新人')).toBe(false);
    expect(diagnoseProject(index, { locale: 'en' })).toEqual(before);
  });
});

describe('diagnoseScene for a scene of the project', () => {
  test('checks a draft in place of the stored text and restores the text', () => {
    const index = beach();
    const found = diagnoseScene(index, 'game/scene/start.txt', { locale: 'en', text: 'changeBg:x.jpg;\nend;' });
    expect(found).toEqual([
      {
        path: 'game/scene/start.txt',
        line: 1,
        column: 10,
        endLine: 1,
        endColumn: 15,
        kind: 'resource',
        severity: 'error',
        code: 'missing-file',
        message: 'There is no x.jpg in the folder game/background: the background stays black.',
        fixHint: 'Put the file into game/background, or use an existing one.',
      },
    ]);
    expect(diagnoseScene(index, 'game/scene/start.txt', { locale: 'en' })).toEqual([]);
  });

  test('counts a draft of a new scene as an existing file', () => {
    const index = beach();
    const found = diagnoseScene(index, 'game/scene/new.txt', { locale: 'en', text: ':hi;\nchangeScene:new.txt;' });
    expect(found).toEqual([]);
    expect(index.files.has('game/scene/new.txt')).toBe(false);
  });

  test('reports no missing files without a file list', () => {
    const index = createProjectIndex();
    index.setScene('game/scene/start.txt', 'changeBg:x.jpg;\nend;');
    expect(diagnoseScene(index, 'game/scene/start.txt', { locale: 'en' })).toEqual([]);
  });

  test('suppresses one code for one line by a comment on the line before', () => {
    const text =
      ';@ignore missing-file\nchangeBg:x.jpg;\nchangeBg:x.jpg;\n;@ignore unknown-command, command-case\nchangebg:x;\nend;';
    const found = diagnoseScene(beach(), 'game/scene/start.txt', { locale: 'en', text });
    expect(found.map(({ line, code }) => [line, code])).toEqual([[3, 'missing-file']]);
  });

  test('applies the project’s severities', () => {
    const index = beach();
    index.setText('game/webgal-agent.json', '{"severities":{"missing-file":"info","command-case":"off"}}');
    const found = diagnoseScene(index, 'game/scene/start.txt', {
      locale: 'en',
      text: 'changeBg:x.jpg;\nchangebg:x;\nend;',
    });
    expect(found.map(({ severity, code }) => [severity, code])).toEqual([['info', 'missing-file']]);
  });

  test('counts positions from 1 in lines with CRLF and a byte order mark', () => {
    const found = diagnoseScene(beach(), 'game/scene/start.txt', {
      locale: 'en',
      text: '\ufeffchangeBg:x.jpg;\r\nchangeBg:y.jpg;\r\nend;\r\n',
    });
    expect(found.map(({ line, column, endColumn }) => [line, column, endColumn])).toEqual([
      [1, 10, 15],
      [2, 10, 15],
    ]);
  });
});

describe('an incrementally updated index', () => {
  test('yields the same findings as a new one after every edit', () => {
    const texts = [
      'label:a;\n小雪:你好;\njumpLabel:b;',
      'label:a;\n小雪:你好;\nlabel:b;\njumpLabel:b;',
      'label:a;\n小雪:你好，{name};\nlabel:b;\njumpLabel:b;',
      'setVar:name=x;\nlabel:a;\n小雪:你好，{name};\nlabel:b;\njumpLabel:b;',
      'setVar:name=x;\nlabel:a;\n小雪：你好，{name};\nlabel:b;\njumpLabel:b;',
      'setVar:name=x;\r\nlabel:a;\r\n小雪：你好，{name};\r\nlabel:b;\r\njumpLabel:b;',
      'setVar:name=x;',
      '',
      '\ufeffchangeBg:a.png;',
      'changeBg:a.png;\n',
      'changeBg:a.png;\n\n\nend;',
    ];
    const index = beach();
    for (const text of texts) {
      index.setScene('game/scene/start.txt', text);
      const fresh = beach();
      fresh.setScene('game/scene/start.txt', text);
      expect(diagnoseProject(index, { locale: 'en' })).toEqual(diagnoseProject(fresh, { locale: 'en' }));
    }
  });

  test('reports a name in one scene when it is removed from another', () => {
    const index = beach();
    index.setScene('game/scene/start.txt', 'A:x -when=hp>0;\nend;');
    index.setScene('game/scene/two.txt', 'setVar:hp=1;\nend;');
    const codes = () => diagnoseScene(index, 'game/scene/start.txt', { locale: 'en' }).map((found) => found.code);
    // It has a value in the other scene, which is unreachable.
    expect(codes()).toEqual(['read-before-set']);
    index.removeScene('game/scene/two.txt');
    expect(codes()).toEqual(['unset-variable']);
    index.setConfig('hp:100;');
    expect(codes()).toEqual([]);
  });
});

describe('diagnoseProject', () => {
  /** Findings of lines and of the whole scene. */
  const scene = (line: string) => `label:a;\n${line}\nchangeBg:baech.jpg;\njumpLabel:nowhere;`;
  const fresh = (line: string, locale: 'en' | 'zh-CN') => {
    const index = beach();
    index.setScene('game/scene/start.txt', scene(line));
    return diagnoseProject(index, { locale });
  };

  test('returns the findings of a project that was checked before in another language', () => {
    const index = beach();
    index.setScene('game/scene/start.txt', scene('雪乃:你好'));
    const [chinese, english] = (['zh-CN', 'en'] as const).map((locale) => diagnoseProject(index, { locale }));
    expect(english).toEqual(fresh('雪乃:你好', 'en'));
    expect(chinese).toEqual(fresh('雪乃:你好', 'zh-CN'));
    expect(chinese).toEqual(diagnoseProject(index, { locale: 'zh-CN' }));
  });

  test('returns the findings after a line changed whose scene was checked only with the project', () => {
    const index = beach();
    index.setScene('game/scene/start.txt', scene('雪乃:你好'));
    diagnoseProject(index, { locale: 'en' });
    index.setScene('game/scene/start.txt', scene('雪乃:你好;'));
    expect(diagnoseProject(index, { locale: 'en' })).toEqual(fresh('雪乃:你好;', 'en'));
    expect(diagnoseScene(index, 'game/scene/start.txt', { locale: 'en' })).toEqual(
      fresh('雪乃:你好;', 'en').filter(({ path }) => path === 'game/scene/start.txt'),
    );
  });
});

describe('diagnoseProject, again after a change', () => {
  const LOOP = 'label:a;\njumpLabel:b;\nlabel:b;\njumpLabel:a;';
  const check = (index: ReturnType<typeof beach>) => diagnoseProject(index, { locale: 'en' });

  test('finds what a new index finds, though the first check freed its graphs and names', () => {
    const index = beach();
    index.setScene('game/scene/second.txt', 'changeBg:beach.jpg;\n:hi;\nend;');
    check(index);
    const texts = ['changeBg:baech.jpg;\nchangeFigure:Yukino.png;\nchangeScene:second.txt;', `:hi;\n${LOOP}`];
    const [first = '', second = ''] = texts;
    index.setScene('game/scene/start.txt', first);
    index.setScene('game/scene/second.txt', second);
    const fresh = beach();
    fresh.setScene('game/scene/start.txt', first);
    fresh.setScene('game/scene/second.txt', second);
    const found = check(index);
    expect(found).toEqual(check(fresh));
    expect(found.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['missing-file', 'file-case', 'endless-loop']),
    );
    expect(found.find(({ code }) => code === 'missing-file')?.message).toContain('beach.jpg');
  });

  test('sorts findings of scenes, settings and files by path', () => {
    const index = beach();
    index.setText('game/config.txt', 'Game_name:a;');
    index.setScene('game/scene/b.txt', 'changeBg:none.jpg;');
    index.setScene('game/scene/a.txt', 'changeBg:none.jpg;\nunknown: text');
    const places = check(index).map(({ path, line }) => `${path} ${String(line).padStart(3)}`);
    expect(places).toEqual(places.toSorted());
    expect(new Set(places.map((place) => place.split(' ')[0])).size).toBeGreaterThan(4);
  });
});

test('tells of brackets only where the engine has [word](reading)', () => {
  const codes = (engineVersion: string) => {
    const index = createProjectIndex({ engineVersion });
    index.setScene('game/scene/start.txt', 'A:看[这里]吧;\nend;');
    return diagnoseScene(index, 'game/scene/start.txt', { locale: 'en' }).map(({ code }) => code);
  };
  expect(codes('4.4.5')).toEqual([]);
  expect(codes('4.4.7')).toEqual(['literal-brackets']);
});

test('reports no lines as never reached behind a scene that is not chosen yet', () => {
  expect(judge('changeScene:选择场景文件;\nA:你好;\nend;').map(({ code }) => code)).toEqual(['nothing-chosen']);
  expect(judge('changeScene:start.txt;\nA:你好;\nend;').map(({ code }) => code)).toEqual(['unreachable']);
});

test('does not say that the list of animations is an animation', () => {
  const index = beach();
  index.addFile('game/animation/animationTable.json');
  index.addFile('game/animation/wave.json');
  index.setAnimationTable('["shake"]');
  const why = (name: string) =>
    diagnoseScene(index, null, { locale: 'en', text: `setAnimation:${name} -target=bg-main;` })[0]?.message;
  expect(why('wave')).toContain('animationTable.json');
  expect(why('animationTable')).not.toContain('animationTable.json');
});

test('calls no file unused when the first scene cannot be read', () => {
  const index = createProjectIndex();
  index.setFiles(['game/config.txt', 'game/scene/start.txt', 'game/bgm/a.mp3']);
  const codes = () => diagnoseProject(index, { locale: 'en' }).map(({ code }) => code);
  expect(codes()).not.toContain('orphan-file');
  index.setScene('game/scene/start.txt', ':hi;\nend;');
  expect(codes()).toContain('orphan-file');
});

test('tells of a name that config.txt cuts off only for engines that do', () => {
  const codes = (engineVersion: string) => {
    const index = createProjectIndex({ engineVersion });
    index.setFiles(['game/config.txt', 'game/scene/start.txt', 'game/bgm/A - B.mp3']);
    index.setScene('game/scene/start.txt', ':hi;\nend;');
    index.setConfig('Game_name:A - B;\nGame_key:x;\nDefault_Language:en;\nTitle_bgm:A - B.mp3;\nTitle_img:None;');
    return diagnoseProject(index, { locale: 'en' }).map(({ code }) => code);
  };
  expect(codes('4.4.5')).toEqual(['config-cut-value', 'file-name-dash']);
  expect(codes('4.3.20')).toEqual([]);
});

test('takes None for an option without a target', () => {
  const found = judge('choose:left:None|right:none;\n:on;\nend;');
  expect(found.map(({ code, severity }) => [code, severity])).toEqual([['choose-no-target', 'info']]);
});

test('tells once of a game that is full of commands of WebGAL 3', () => {
  const index = createProjectIndex();
  const lines = [
    'changeBG:a.jpg',
    'changeBG_next:a.jpg',
    'changeP_left_next:b.png',
    'changeP:b.png',
    'changeP_right:none',
    'A:hi',
  ];
  index.setScene('game/scene/start.txt', `${lines.join(';\n')};\nend;`);
  expect(diagnoseProject(index, { locale: 'en' }).map(({ code }) => code)).toEqual(['old-commands']);
});

test('takes a command of WebGAL 3 that differs in case for a mistyped one where there are few', () => {
  expect(judge('changeBG:beach.jpg;\nend;').map(({ code, fixes }) => [code, fixes?.length])).toEqual([
    ['command-case', 1],
  ]);
});
