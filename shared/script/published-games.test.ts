import { describe, expect, test } from 'vitest';
import { diagnoseProject, diagnoseScene } from './diagnostics/diagnose.ts';
import type { EngineTraits } from './engine/engine.ts';
import { createProjectIndex } from './project-index/project-facts.ts';

/** Lines of published games that once caused false or missing findings. */
const START = 'game/scene/start.txt';
const CONFIG = 'Game_name:x;\nGame_key:a;\nDefault_Language:en;';

interface Game {
  text: string;
  files?: readonly string[];
  config?: string;
  version?: string;
  engine?: EngineTraits;
}

/** Findings as `severity code line`, without the end of the story and unused files. */
function check({ text, files = [], config = CONFIG, version = '4.5.18', engine }: Game): string[] {
  const index = createProjectIndex({ engineVersion: version, ...(engine && { engine }) });
  index.setFiles([START, 'game/config.txt', 'game/scene/two.txt', ...files]);
  index.setConfig(config);
  index.setScene('game/scene/two.txt', 'A:hi;\nend;');
  index.setScene(START, `${text}\nA:bye;\nend;`);
  return diagnoseProject(index, { locale: 'en' })
    .filter(({ code, path }) => path !== 'game/scene/two.txt' && code !== 'first-speaker' && code !== 'unlock-name')
    .map(({ severity, code, line }) => `${severity} ${code} ${line}`);
}

describe('files', () => {
  test('names the argument of a voice, which has no command', () => {
    const index = createProjectIndex();
    index.setFiles([START, 'game/bgm/one.ogg']);
    index.setScene(START, 'A:hi -vocal=one.ogg;');
    const found = diagnoseProject(index, { locale: 'en' }).find(({ code }) => code === 'wrong-folder');
    expect(found?.message).toMatch(/^-vocal looks in game\/vocal only/);
  });

  test.each(['changeFigure:close -left;', 'changeFigure:-none;', 'changeBg:close;', 'bgm:关闭;'])(
    'reports that the engine reads no such word: %s',
    (text) => {
      expect(check({ text })).toEqual(['info closing-word 1']);
    },
  );

  test('takes a word for a file where it can be one', () => {
    expect(check({ text: 'changeFigure:close.png;' })).toEqual(['error missing-file 1']);
    expect(check({ text: 'changeFigure:close;', files: ['game/figure/close'] })).toEqual([]);
    expect(check({ text: 'changeFigure:none -mouthClose=close;' })).toEqual(['error missing-file 1']);
    expect(check({ text: 'playEffect:close;' })).toEqual(['error missing-file 1']);
  });

  test('matches a name with characters of U+0080–009F to the existing file', () => {
    const files = ['game/bgm/\u00e5\u008f\u0099.mp3'];
    expect(check({ text: 'bgm:\u00e5\u008f\u0099.mp3;', files })).toEqual(['info unportable-name 1']);
  });

  test('reports a name with a bidi character and spells the character out', () => {
    const name = '\u202aa.png';
    expect(check({ text: `changeBg:${name};`, files: [`game/background/${name}`] })).toEqual([
      'info unportable-name 1',
    ]);
    expect(check({ text: `changeBg:${name};` })).toEqual(['error missing-file 1']);
    const index = createProjectIndex();
    index.setFiles([START, `game/background/${name}`]);
    index.setScene(START, `changeBg:${name};\nend;`);
    const [found] = diagnoseProject(index, { locale: 'en' }).filter(({ code }) => code === 'unportable-name');
    expect(found?.message).toContain('\\u{202a}a.png');
  });

  test('reports an unused model once, without its parts', () => {
    const parts = ['model.json', 'physics.json', 'a/texture.png', 'motions/idle.mtn'];
    const files = parts.map((name) => `game/figure/anon/live/${name}`);
    expect(check({ text: '', files: [...files, 'game/figure/b.png'] })).toEqual([
      'info orphan-file 1',
      'info orphan-file 1',
    ]);
    expect(check({ text: 'changeFigure:anon/live/model.json;', files, config: CONFIG })).not.toContain(
      'info orphan-file 1',
    );
  });

  test('ignores files of the operating system', () => {
    const files = ['game/background/.DS_Store', 'game/bgm/.gitkeep', 'game/video/Thumbs.db'];
    expect(check({ text: '', files })).toEqual([]);
    expect(check({ text: '', files: ['game/background/DS_Store.png'] })).toEqual(['info orphan-file 1']);
  });

  test('treats a backslash in a path as a slash', () => {
    expect(check({ text: 'miniAvatar:leo\\mini.webp;', files: ['game/figure/leo/mini.webp'] })).toEqual([]);
  });

  test('explains a name with a space and a hyphen, and does not report its file as unused', () => {
    const files = ['game/bgm/Mili - Main theme.mp3', 'game/background/a - b.png', 'game/bgm/old.mp3'];
    expect(check({ text: 'bgm:Mili - Main theme.mp3;\nchangeBg:a - b.png -next;', files })).toEqual([
      'info orphan-file 1',
      'error file-name-dash 1',
      'error file-name-dash 2',
    ]);
  });

  test('explains such a name in config.txt', () => {
    const files = ['game/bgm/Mili - Main theme.mp3'];
    const found = check({ text: '', files, config: `${CONFIG}\nTitle_bgm:Mili - Main theme.mp3;` });
    expect(found).toEqual(['warning file-name-dash 4']);
  });

  test('does not treat none in config.txt as a file', () => {
    expect(check({ text: '', config: `${CONFIG}\nTitle_img:none;\nTitle_bgm:none;` })).toEqual([]);
  });

  test('describes the effect of a missing gallery file', () => {
    const index = createProjectIndex();
    index.setFiles([START]);
    index.setScene(START, 'unlockCg:no.png -name=x;\nend;');
    const found = diagnoseProject(index, { locale: 'en' }).find(({ code }) => code === 'missing-file');
    expect(found?.message).toContain('gallery');
    expect(found?.message).not.toContain('background stays');
  });
});

describe('missing selections', () => {
  test.each([
    'choose:one|two;',
    'choose:one:|two:;',
    'choose:one:选择场景文件|two:选择场景文件;',
    'choose:one:Choose scene file|two:two.txt;',
    'choose:one:シーンファイルを選択|two:two.txt;',
  ])('reports a menu without targets as one note: %s', (text) => {
    expect(check({ text })).toEqual(['info choose-no-target 1']);
  });

  test.each([
    'changeBg: 选择背景图片;',
    'playVideo:选择视频文件;',
    'setAnimation:选择动画文件;',
    'changeFigure:Choose Figure File -left;',
  ])('reports a placeholder of the form as one finding: %s', (text) =>
    expect(check({ text })).toEqual(['warning nothing-chosen 1']),
  );

  test.each(['unlockCg:;', 'unlockBgm:;', 'playVideo:;'])('reports a missing content as one finding: %s', (text) => {
    expect(check({ text })).toEqual(['warning nothing-chosen 1']);
  });

  test('treats a file named like a placeholder as a file', () => {
    expect(check({ text: 'changeBg:选择背景图片.png;', files: ['game/background/选择背景图片.png'] })).toEqual([]);
  });

  test('reports a bare word with a colon as an unknown command', () => {
    expect(check({ text: 'title:;' })).toEqual(['error unknown-command 1']);
    expect(check({ text: 'gameover:;' })).toEqual(['warning unknown-command 1']);
    expect(check({ text: 'Walt:;\n小雪:;' })).toEqual([]);
  });

  test('reports a mistyped ending once', () => {
    const codesOf = (text: string) => {
      const index = createProjectIndex();
      index.setFiles([START]);
      index.setScene(START, text);
      return diagnoseScene(index, START, { locale: 'en' }).map(({ code }) => code);
    };
    expect(codesOf('A:hi;\ntitle:;')).toEqual(['unknown-command']);
    expect(codesOf('A:hi;\ntitlePage:;')).toEqual(['unknown-command', 'no-ending']);
  });
});

describe('text and arguments', () => {
  test('ignores arguments that Terre writes and the engine ignores', () => {
    expect(check({ text: 'A:hi -fontSize=default -id;' })).toEqual([]);
  });

  test('reports residue of Terre after a complete text as a note', () => {
    expect(check({ text: ':好感-15|（77/100） -15 |=true -15 =true;' })).toEqual(['info argument-residue 1']);
    expect(check({ text: ':他说 -我不去=true;' })).toEqual(['error dash-in-text 1']);
  });

  test.each(['A:他说 -"我不去";', 'A:一 -{二};', 'A:一 -[二]三;', 'A:one -two}three;', 'A:grade (B) - MVP;'])(
    'reports text lost after a hyphen: %s',
    (text) => expect(check({ text }).filter((one) => one.startsWith('error'))).toEqual(['error dash-in-text 1']),
  );

  test('reports a command after a text as an argument that there is not', () => {
    expect(check({ text: 'A:hello -fontColor=1 -setTextbox:hide;' })).toContain('warning unknown-argument 1');
    expect(check({ text: 'A:hello -setTextbox:hide=true;' })).toEqual(['warning unknown-argument 1']);
  });

  test('does not treat the rest of a JSON value as dialogue', () => {
    const found = check({
      text: 'changeFigure:a.png -transform={"position":{"x": -5}};',
      files: ['game/figure/a.png'],
    });
    expect(found).toEqual(['error json-dash 1']);
  });

  test('reports an argument joined to the previous value', () => {
    const files = ['game/figure/a.png'];
    for (const text of ['changeFigure:a.png -duration=1-next;', 'changeFigure:a.png -ease=linear-left-next;'])
      expect(check({ text, files })).toEqual(['warning joined-arguments 1']);
    for (const text of ['changeFigure:a.png -duration=1-b;', 'changeFigure:a.png -duration=fast;'])
      expect(check({ text, files })).toEqual(['warning invalid-value 1']);
    expect(check({ text: 'changeFigure:a.png -duration=-1;', files })).not.toContain('warning joined-arguments 1');
  });

  test('reports a misplaced comment with a hyphen once', () => {
    expect(check({ text: '// Chapter 1 - The lake' })).toEqual(['warning slash-comment 1']);
    expect(check({ text: '# Chapter 1 - The lake' })).toEqual(['warning slash-comment 1']);
    const both = check({ text: 'A:over there - the lake // a note' });
    expect(both).toEqual(['error dash-in-text 1', 'warning slash-comment 1']);
  });

  test('reports the full-width colon after a speaker in quotes whom the game knows', () => {
    const known = '“Me”:Hello.;\n“Me”:Bye.;\n';
    const wide = 'warning fullwidth-punctuation 3';
    expect(check({ text: `${known}“Me”：It is really far……` })).toContain(wide);
    expect(check({ text: `${known}“Me”：？！；` }).join()).toContain('fullwidth-punctuation 3');
    expect(check({ text: `${known}“You”：It is really far……;` })).not.toContain(wide);
    expect(check({ text: '“书名”：说明；' })).toEqual(['warning fullwidth-punctuation 1']);
  });

  test('reports the full-width semicolon at the end of an intro, which is shown', () => {
    expect(check({ text: 'intro:他在看书|有点看不清；' })).toEqual(['warning fullwidth-punctuation 1']);
    expect(check({ text: 'intro:他在看书；|看不清' })).toEqual(['info missing-semicolon 1']);
    expect(check({ text: 'intro:有点看不清；;' })).toEqual([]);
  });

  test('reports a full-width mark at the start of a note or of narration, which is shown', () => {
    const wide = ['warning fullwidth-punctuation 1'];
    expect(check({ text: '；第二幕' })).toEqual(wide);
    expect(check({ text: '：你心里微微松了一口气；' })).toEqual(wide);
    expect(check({ text: ':：D;' })).toEqual([]);
  });

  test('reports no endless loop behind a jump, where no way leads', () => {
    const found = check({ text: 'jumpLabel:a;\nlabel:b;\njumpLabel:b;\nlabel:a;' });
    expect(found).toEqual(['info unreachable 2']);
    expect(check({ text: 'label:b;\njumpLabel:b;' })).toContain('error endless-loop 2');
  });

  test('finds a file in another folder only with the folders that the script names', () => {
    const files = ['game/vocal/lisa/normal.png', 'game/bgm/Theme.mp3'];
    const text = 'changeFigure:zossima/normal.png;';
    expect(check({ text, files })).toContain('error missing-file 1');
    expect(check({ text: 'changeFigure:lisa/normal.png;', files })).toContain('error wrong-folder 1');
    expect(check({ text: 'playEffect:theme.mp3;', files })).toContain('error wrong-folder 1');
  });

  test('takes a language without a value for none', () => {
    const config = 'Game_name:x;\nGame_key:a;\nDefault_Language:;';
    expect(check({ text: 'A:hi;', config, version: '4.5.18' })).toEqual(['info config-language 1']);
  });

  test('reports a finding once per line', () => {
    const index = createProjectIndex();
    index.setFiles([START]);
    index.setAnimationTable('["enter"]');
    index.setScene(START, 'setTransition: -target=bg-main -enter=nope -exit=nope;\nend;');
    const found = diagnoseProject(index, { locale: 'en' }).filter(({ code }) => code === 'unknown-animation');
    expect(found).toHaveLength(1);
  });

  test.each([
    'getUserInput:n -title=x -ruleButtonText=OK;',
    'wait:500 -nobreak;',
    'choose:a:l -defaultChoose=1;\nlabel:l;',
    'setAnimation:enter -target=bg-main -parallel;',
  ])('accepts an argument of 4.6.0: %s', (text) => {
    expect(check({ text, version: '4.6.0' })).toEqual([]);
    expect(check({ text, version: '4.5.18' })).toEqual(['warning argument-version 1']);
  });
});

describe('the further places of figures', () => {
  const text = [
    'changeFigure:a.png -left13 -next;',
    'setAnimation:enter -target=fig-left13;',
    'changeFigure:none -left13;',
    'setVar:n=1 -local;',
  ].join('\n');
  const files = ['game/figure/a.png'];

  test('accepts them since 4.6.3', () => {
    expect(check({ text, files, version: '4.6.3' })).toEqual([]);
  });

  test('reports that an older engine ignores them', () => {
    expect(check({ text, files, version: '4.6.2' })).toEqual([
      'warning argument-version 1',
      'warning unknown-target 2',
      'warning argument-version 3',
      'warning argument-version 4',
    ]);
  });

  test('names the place where a figure with an id stays', () => {
    const closed = 'changeFigure:a.png -id=x -right14 -next;\nchangeFigure:none -right14;';
    expect(check({ text: closed, files, version: '4.6.3' })).toEqual(['warning wrong-slot-closed 2']);
  });

  test.each([
    ['4.6.3', 'the one at the left third'],
    ['4.6.2', 'the one in the middle'],
  ])('names the figures left on stage in %s', (engineVersion, place) => {
    const index = createProjectIndex({ engineVersion });
    index.setFiles([START, 'game/scene/two.txt', 'game/figure/a.png', 'game/background/b.png']);
    index.setScene(START, 'changeFigure:a.png -left13;\nA:hi;\nchangeScene:two.txt;');
    index.setScene('game/scene/two.txt', 'changeBg:b.png;\nA:hi;\nend;');
    const found = diagnoseProject(index, { locale: 'en' }).find(({ code }) => code === 'figure-left-on-stage');
    expect(found?.message).toContain(`(${place})`);
  });
});

const OWN: EngineTraits = {
  commands: ['say', 'changeBg', 'changeFigure', 'choose', 'end', 'hotspot', 'setFigAni'],
  arguments: ['ruleButtonText', 'vocals', 'left'],
  effects: ['rain', 'fireflies'],
};

describe('the game’s own engine', () => {
  test('reports its own commands as one note for the whole game', () => {
    const text = `${'hotspot:door.png 3 4 -to=two;\nsetFigAni:shake 1s -center;\n'.repeat(50)}`;
    expect(check({ text, engine: OWN, version: '4.2.8' })).toEqual(['info engine-commands 1']);
  });

  test.each(['changeP_left_next:none;', 'changeP:none;', 'changeBG_next:a.png;'])(
    'reports a command of the first engines once: %s',
    (text) => expect(check({ text })).toEqual(['error unknown-command 1']),
  );

  test('may lead from its own command to any scene', () => {
    const diagnose = (last: string) => {
      const index = createProjectIndex({ engineVersion: '4.5.18', engine: OWN });
      index.setScene(START, `A:hi;\n${last}`);
      return diagnoseProject(index, { locale: 'en' }).map(({ code }) => code);
    };
    expect(diagnose('hotspot:door.png;')).not.toContain('no-ending');
    expect(diagnose('changeBg:none;')).toContain('no-ending');
  });

  test('may read an address as the target of a choice', () => {
    expect(check({ text: 'choose:Go:/api/start?id=1|Stay:two.txt;' })).toEqual(['info missing-label 1']);
    expect(check({ text: 'choose:Go:nowhere|Stay:two.txt;' })).toEqual(['error missing-label 1']);
  });

  test('reports the commands that it lacks', () => {
    expect(check({ text: 'wait:500;', engine: OWN, version: '4.2.8' })).toEqual(['error command-version 1']);
  });

  test('accepts arguments and effects that it reads', () => {
    const engine = { ...OWN, commands: [] };
    expect(check({ text: 'intro:a|b -vocals=1;\npixiPerform:fireflies;', engine })).toEqual([]);
    expect(check({ text: 'getUserInput:n -ruleButtonText=OK;', engine })).toEqual([]);
    // An argument of another command is not accepted.
    expect(check({ text: 'miniAvatar:none -left;', engine })).toEqual(['warning unknown-argument 1']);
  });

  test('reports many old commands without it as one finding, and few individually', () => {
    const many = check({ text: 'setFigAni:shake 1s -center;\n'.repeat(40) });
    const few = check({ text: 'setFigAni:shake 1s -center;' });
    expect([many, few]).toEqual([['warning old-commands 1'], ['error unknown-command 1']]);
  });
});

test('reports a missing language setting as a note', () => {
  expect(check({ text: '', config: 'Game_name:x;\nGame_key:a;' })).toEqual(['info config-language 1']);
  // Up to 4.5.11 neither key exists, and the gallery is always shown.
  expect(check({ text: '', config: 'Game_name:x;\nGame_key:a;', version: '4.5.11' })).toEqual([]);
});

test('counts rows for engines that cut them, and suggests Max_line where it is read', () => {
  const text = 'A:one|two|three;';
  const config = `${CONFIG}\nMax_line:4;`;
  const byVersion = (version: string) => [check({ text, version }).length, check({ text, version, config }).length];
  expect(['4.4.3', '4.4.11', '4.5.16', '4.5.17', '4.6.1'].map(byVersion)).toEqual([
    ...[
      [0, 0],
      [1, 1],
      [1, 1],
      [1, 0],
      [1, 0],
    ],
  ]);
  const hintFor = (engineVersion: string) => {
    const index = createProjectIndex({ engineVersion });
    index.setScene(START, `${text}\nend;`);
    return diagnoseScene(index, START, { locale: 'en' })[0]?.fixHint;
  };
  expect([hintFor('4.5.16'), hintFor('4.5.18')]).toEqual([
    'Make several lines of it.',
    'Make several lines of it, or raise Max_line in config.txt.',
  ]);
});

test('requires no gallery setting for engines that always show it', () => {
  const game = { text: 'unlockCg:a.png -name=x;', files: ['game/background/a.png'] };
  expect(check(game)).toEqual(['info gallery-off 1']);
  expect(check({ ...game, version: '4.4.11' })).toEqual([]);
});

test('offers no unrelated short word for a variable that is never set', () => {
  expect(check({ text: 'setVar:ending=1;\nA:{engine};' })).toEqual(['info unknown-interpolation 2']);
  expect(check({ text: 'setVar:ending=1;\nA:{endign};' })).toEqual(['warning unknown-interpolation 2']);
});
