import { describe, expect, test } from 'vitest';
import type { Diagnostic, TextEdit } from '../../model/diagnostic.ts';
import { createProjectIndex, type ProjectIndex } from '../project-index/project-facts.ts';
import { diagnoseProject, diagnoseScene } from './diagnose.ts';
import { DIAGNOSTICS } from './diagnostic-table.ts';

/** A small game in which every near miss is correct. */
const FILES = [
  'game/config.txt',
  'game/scene/start.txt',
  'game/scene/chapter2.txt',
  'game/scene/sub/d.txt',
  'game/background/bg.webp',
  'game/background/beach.jpg',
  'game/figure/stand.webp',
  'game/figure/hiyori/model.json',
  'game/figure/spine/hero.skel',
  'game/bgm/theme.mp3',
  'game/vocal/v1.wav',
  'game/vocal/door.mp3',
  'game/vocal/v1.m4a',
  'game/video/op.mp4',
  'game/animation/animationTable.json',
  'game/animation/wave.json',
];
const CONFIG = 'Game_name:游戏;\nGame_key:abc123;\nDefault_Language:zh_CN;\nEnable_Appreciation:true;';

interface Row {
  row: string;
  code: string;
  severity: 'error' | 'warning' | 'info';
  /** Lines in which line `at` (1-based, default 1) has the problem. */
  bad: string;
  at?: number;
  /** The correct form, or a similar line that is intended. */
  good: string;
  /** Result of the first fix for `bad`; absent where no fix is certain. */
  fixed?: string;
  version?: string;
  /** Other scenes, by file name. */
  others?: Record<string, string>;
  path?: string;
  /** The scene with the finding, if it is not the one that differs. */
  lookIn?: string;
  config?: string;
  files?: readonly string[];
}

function createIndex(row: Row, text: string): ProjectIndex {
  const index = createProjectIndex({ engineVersion: row.version ?? '4.5.18' });
  index.setFiles(row.files ?? FILES);
  index.setConfig(row.config ?? CONFIG);
  index.setAnimationTable('["enter","exit","shake"]');
  for (const [name, other] of Object.entries(row.others ?? {})) index.setScene(`game/scene/${name}`, other);
  if (row.path === 'game/config.txt') index.setConfig(text);
  else index.setScene(row.path ?? 'game/scene/start.txt', text);
  return index;
}

function find(row: Row, text: string): Diagnostic[] {
  const index = createIndex(row, text);
  const path = row.lookIn ?? row.path ?? 'game/scene/start.txt';
  return diagnoseScene(index, path, { locale: 'zh-CN' }).filter((found) => found.code === row.code);
}

/** Applies edits of one document in reverse order. */
function apply(text: string, edits: readonly TextEdit[]): string {
  const lines = text.split('\n');
  for (const edit of [...edits].sort((one, other) => other.line - one.line || other.column - one.column)) {
    const line = lines[edit.line - 1] ?? '';
    lines[edit.line - 1] = line.slice(0, edit.column - 1) + edit.newText + line.slice(edit.endColumn - 1);
  }
  return lines.join('\n');
}

const LOOP_461 = { version: '4.6.1' };

const ROWS: Row[] = [
  {
    row: '1',
    code: 'unknown-command',
    severity: 'error',
    bad: 'changBg:bg.webp -next;',
    good: 'changeBg:bg.webp -next;',
    fixed: 'changeBg:bg.webp -next;',
  },
  {
    row: '1 name',
    code: 'unknown-command',
    severity: 'error',
    bad: 'setVr:a=1;',
    good: 'Mabel:hi;\nWalt:hi;\nSaya:hi;\nEve:a.b;\nwebgal:hi;',
    fixed: 'setVar:a=1;',
  },
  { row: '1 old', code: 'unknown-command', severity: 'error', bad: 'setBgFilter:blur(1px);', good: 'iPhone:响了;' },
  { row: '1 foreign', code: 'unknown-command', severity: 'error', bad: 'bg:beach.jpg;', good: 'music:我喜欢;' },
  {
    row: '2',
    code: 'command-spacing',
    severity: 'error',
    bad: ' changeBg:bg.webp;',
    good: ' 小雪:你好;',
    fixed: 'changeBg:bg.webp;',
  },
  {
    row: '2 after',
    code: 'command-spacing',
    severity: 'error',
    bad: 'changeBg :bg.webp;',
    good: '小雪 :你好;',
    fixed: 'changeBg:bg.webp;',
  },
  {
    row: '3',
    code: 'command-case',
    severity: 'error',
    bad: 'changebg:bg.webp;',
    good: 'changeBg:bg.webp;',
    fixed: 'changeBg:bg.webp;',
  },
  { row: '3 label', code: 'command-case', severity: 'error', bad: 'Label:a;', good: 'label:a;', fixed: 'label:a;' },
  {
    row: '4',
    code: 'fullwidth-punctuation',
    severity: 'warning',
    bad: '角色：你好；',
    good: '角色:他说：“你好”；然后走了;',
    fixed: '角色:你好;',
  },
  {
    row: '4 known',
    code: 'fullwidth-punctuation',
    severity: 'warning',
    bad: '小雪:你好;\n小雪：再见;',
    at: 2,
    good: '小雪:你好;\n时间：下午三点;',
    fixed: '小雪:你好;\n小雪:再见;',
  },
  {
    row: '4 command',
    code: 'fullwidth-punctuation',
    severity: 'error',
    bad: 'changeBg：bg.webp；',
    good: 'changeBg:bg.webp;',
    fixed: 'changeBg:bg.webp;',
  },
  {
    row: '5',
    code: 'missing-colon',
    severity: 'error',
    bad: 'end -when=a>1;',
    good: 'end: -when=a>1;',
    fixed: 'end: -when=a>1;',
  },
  {
    row: '5 flag',
    code: 'missing-colon',
    severity: 'error',
    bad: 'pixiInit -next;',
    good: 'end of the story;\nwait for me;',
    fixed: 'pixiInit: -next;',
  },
  {
    row: '5 file',
    code: 'missing-colon',
    severity: 'error',
    bad: 'changeBg bg.webp;',
    good: 'changeBg:bg.webp;',
    fixed: 'changeBg:bg.webp;',
  },
  {
    row: '6',
    code: 'missing-content',
    severity: 'error',
    bad: 'bgm;',
    good: 'end;\npixiInit;\nshowVars;',
    fixed: 'bgm:none;',
  },
  {
    row: '7',
    code: 'film-mode-word',
    severity: 'warning',
    bad: 'filmMode;',
    good: 'filmMode:none;\nfilmMode:enable;',
    fixed: 'filmMode:on;',
  },
  {
    row: '7 off',
    code: 'film-mode-word',
    severity: 'warning',
    bad: 'filmMode:off;',
    good: 'filmMode:on;',
    fixed: 'filmMode:none;',
  },
  {
    row: '7 close',
    code: 'closing-word',
    severity: 'info',
    bad: 'changeFigure:close -left;',
    good: 'changeFigure:none -left;\nchangeFigure: -left;',
    fixed: 'changeFigure:none -left;',
  },
  {
    row: '8',
    code: 'slash-comment',
    severity: 'warning',
    bad: 'A:hi // note',
    good: 'A:见 https://a.com/b;\nA:hi; // note',
    fixed: 'A:hi; // note',
  },
  { row: '8 hash', code: 'slash-comment', severity: 'warning', bad: '# todo', good: '#1 的粉丝;', fixed: ';# todo' },
  {
    row: '9',
    code: 'statement-after-semicolon',
    severity: 'warning',
    bad: 'A:one; B:two;',
    good: 'A:one; 注:以后改;\nA:x; // 解锁CG并赋予名称',
  },
  {
    row: '9 command',
    code: 'statement-after-semicolon',
    severity: 'warning',
    bad: 'A:one; changeBg:bg.webp',
    good: ';changeBg:bg.webp;',
  },
  {
    row: '10',
    code: 'unescaped-semicolon',
    severity: 'warning',
    bad: 'A:[字](style=color:red;font-size:2em);',
    good: 'A:[字](style=color:red\\;font-size:2em);',
    fixed: 'A:[字](style=color:red\\;font-size:2em);',
  },
  {
    row: '11',
    code: 'missing-file',
    severity: 'error',
    bad: 'changeBg:baech.jpg;',
    good: 'changeBg:beach.jpg;\nchangeBg:none;\nchangeBg:;\nchangeBg:https://x/y.png;\nchangeBg:{bg};',
    fixed: 'changeBg:beach.jpg;',
  },
  {
    row: '12',
    code: 'file-case',
    severity: 'warning',
    bad: 'changeBg:Beach.JPG;',
    good: 'changeBg:beach.jpg;',
    fixed: 'changeBg:beach.jpg;',
  },
  {
    row: '13',
    code: 'wrong-folder',
    severity: 'error',
    bad: 'changeFigure:bg.webp;',
    good: 'changeFigure:../background/bg.webp;',
  },
  { row: '14', code: 'wrong-file-type', severity: 'error', bad: 'changeBg:theme.mp3;', good: 'bgm:theme.mp3;' },
  { row: '15', code: 'voice-extension', severity: 'warning', bad: 'A:hi -v1.m4a;', good: 'A:hi -v1.wav;' },
  {
    row: '15 new',
    code: 'voice-extension',
    severity: 'warning',
    bad: 'A:hi -v1.m4a;',
    good: 'A:hi -vocal=v1.m4a;',
    fixed: 'A:hi -vocal=v1.m4a;',
    ...LOOP_461,
  },
  {
    row: '16',
    code: 'vocal-argument-version',
    severity: 'warning',
    bad: 'A:hi -vocal=v1.wav;',
    good: 'A:hi -v1.wav;',
    fixed: 'A:hi -v1.wav;',
  },
  { row: '17', code: 'wrong-folder', severity: 'error', bad: 'playEffect:theme.mp3;', good: 'playEffect:door.mp3;' },
  {
    row: '18',
    code: 'missing-label',
    severity: 'error',
    bad: 'label:morning;\nA:hi;\njumpLabel:mornig;',
    at: 3,
    good: 'A:hi;\njumpLabel:later;\nlabel:later;\nend;',
    fixed: 'label:morning;\nA:hi;\njumpLabel:morning;',
  },
  {
    row: '19',
    code: 'duplicate-label',
    severity: 'error',
    bad: 'label:x;\nA:hi;\nlabel:x;\njumpLabel:x;',
    good: 'label:x;\nA:hi;\nlabel:y;\njumpLabel:x;',
  },
  {
    row: '20',
    code: 'unused-label',
    severity: 'info',
    bad: 'label:unused;',
    good: 'label:used;\nA:hi;\nchoose:again:used|no:chapter2.txt;',
  },
  {
    row: '21',
    code: 'endless-loop',
    severity: 'error',
    bad: 'label:a;\nsetVar:n=1;\njumpLabel:a;',
    at: 3,
    good: 'label:a;\nsetVar:n=1;\nA:hi;\njumpLabel:a;\nlabel:b;\nsetVar:n=2;\njumpLabel:b -when=n>5;',
  },
  {
    row: '11 name with a hyphen',
    code: 'file-name-dash',
    severity: 'error',
    bad: 'bgm:Mili - Main theme.mp3;',
    good: 'bgm:Mili-Main theme.mp3;',
    files: [...FILES, 'game/bgm/Mili - Main theme.mp3', 'game/bgm/Mili-Main theme.mp3'],
  },
  {
    row: '11 name in an address',
    code: 'file-name-address',
    severity: 'error',
    bad: 'changeBg:sea #1.webp;',
    good: 'changeBg:bg.webp;',
    files: [...FILES, 'game/background/sea #1.webp'],
  },
  {
    row: '11 name of a scene in an address',
    code: 'file-name-address',
    severity: 'error',
    bad: 'callScene:50%.txt;',
    good: 'callScene:chapter2.txt;',
    files: [...FILES, 'game/scene/50%.txt'],
  },
  {
    row: '11 name others cannot have',
    code: 'unportable-name',
    severity: 'info',
    bad: 'changeBg:a\u0085.webp;',
    good: 'changeBg:bg.webp;',
    files: [...FILES, 'game/background/a\u0085.webp'],
  },
  {
    row: '11 not chosen',
    code: 'nothing-chosen',
    severity: 'warning',
    bad: 'changeFigure:选择立绘文件 -left;',
    good: 'changeFigure:stand.webp -left;',
  },
  {
    row: '11 not chosen, empty',
    code: 'nothing-chosen',
    severity: 'warning',
    bad: 'unlockCg:;',
    good: 'playEffect:;\nbgm:;',
  },
  {
    row: '28 residue',
    code: 'argument-residue',
    severity: 'info',
    bad: ':好感度-2 -2=true -2 =true;',
    good: ':好感度-2;',
    fixed: ':好感度-2;',
  },
  {
    row: '22',
    code: 'choose-no-target',
    severity: 'info',
    bad: 'choose:甲|乙:chapter2.txt;',
    good: 'choose:甲:chapter2.txt|乙:chapter2.txt;',
  },
  {
    row: '22 with a colon',
    code: 'choose-no-target',
    severity: 'info',
    bad: 'choose:甲:|乙:chapter2.txt;\nA:hi;\nend;',
    good: 'choose:甲:chapter2.txt|乙:chapter2.txt;',
  },
  {
    row: '22 placeholder',
    code: 'choose-no-target',
    severity: 'info',
    bad: 'choose:甲:选择场景文件|乙:chapter2.txt;',
    good: 'choose:甲:chapter2.txt|乙:chapter2.txt;',
  },
  {
    row: '22 every option goes on',
    code: 'choose-no-target',
    severity: 'info',
    bad: 'choose:甲|乙;\nA:hi;\nend;',
    good: 'choose:甲:chapter2.txt|乙:chapter2.txt;',
  },
  {
    row: '23',
    code: 'choose-scene-extension',
    severity: 'error',
    bad: 'choose:A:chapter2;',
    good: 'choose:A:chapter2.txt;',
    fixed: 'choose:A:chapter2.txt;',
  },
  {
    row: '24',
    code: 'missing-scene',
    severity: 'error',
    bad: 'choose:A:chapter3.txt;',
    good: 'choose:A:sub/d.txt;',
    fixed: 'choose:A:chapter2.txt;',
  },
  {
    row: '24 ending',
    code: 'scene-extension',
    severity: 'error',
    bad: 'changeScene:chapter2;',
    good: 'changeScene:chapter2.txt;',
    fixed: 'changeScene:chapter2.txt;',
  },
  {
    row: '25',
    code: 'choose-or',
    severity: 'error',
    bad: 'setVar:a=1;\nchoose:(a>0||a>9)->甲:chapter2.txt|乙:chapter2.txt;',
    at: 2,
    good: 'setVar:a=1;\nchoose:(a>0&&a<9)->甲:chapter2.txt|乙:chapter2.txt;',
  },
  {
    row: '26',
    code: 'choose-arrow-space',
    severity: 'error',
    bad: 'setVar:a=1;\nchoose:(a>0) ->甲:chapter2.txt;',
    at: 2,
    good: 'setVar:a=1;\nchoose:(a>0)->甲:chapter2.txt;',
    fixed: 'setVar:a=1;\nchoose:(a>0)->甲:chapter2.txt;',
  },
  {
    row: '27',
    code: 'choose-colon-space',
    severity: 'error',
    bad: 'choose:A: chapter2.txt;',
    good: 'choose: A:chapter2.txt | B:chapter2.txt;',
    fixed: 'choose:A:chapter2.txt;',
  },
  {
    row: '27 colons',
    code: 'choose-extra-colon',
    severity: 'error',
    bad: 'choose:A:12:30:chapter2.txt;',
    good: 'choose:A\\:12\\:30:chapter2.txt;',
    fixed: 'choose:A\\:12\\:30:chapter2.txt;',
  },
  {
    row: '28',
    code: 'choose-dash',
    severity: 'error',
    bad: 'choose:A - B:chapter2.txt;',
    good: 'choose:A-B:chapter2.txt;',
    fixed: 'choose:A- B:chapter2.txt;',
  },
  {
    row: '28 text',
    code: 'dash-in-text',
    severity: 'error',
    bad: 'A:他说 -我不去;',
    good: 'A:他说-我不去 -concat;',
    fixed: 'A:他说-我不去;',
  },
  {
    row: '29',
    code: 'choose-may-be-empty',
    severity: 'warning',
    bad: 'setVar:a=1;\nchoose:(a>0)->甲:chapter2.txt|(a>5)->乙:chapter2.txt;',
    at: 2,
    good: 'setVar:a=1;\nchoose:(a==1)->甲:chapter2.txt|(a!=1)->乙:chapter2.txt;\nchoose:(a>0)->甲:chapter2.txt|乙:chapter2.txt;',
  },
  {
    row: '30',
    code: 'setvar-dash',
    severity: 'error',
    bad: 'setVar:n=n - 1;',
    good: 'setVar:n=n-1 -global;',
    fixed: 'setVar:n=n-1;',
  },
  {
    row: '30 negative',
    code: 'setvar-dash',
    severity: 'error',
    bad: 'setVar:n= -5;',
    good: 'setVar:n=-5;',
    fixed: 'setVar:n=-5;',
  },
  {
    row: '31',
    code: 'non-ascii-expression',
    severity: 'error',
    bad: 'setVar:好感=1;\nsetVar:好感=好感+1;',
    at: 2,
    good: 'setVar:好感=1;\nA:{好感};',
  },
  {
    row: '31 when',
    code: 'non-ascii-expression',
    severity: 'error',
    bad: 'setVar:好感=1;\nA:x -when=好感>1;',
    at: 2,
    good: 'setVar:love=1;\nA:x -when=love>1;',
  },
  {
    row: '32',
    code: 'condition-assignment',
    severity: 'error',
    bad: 'setVar:a=1;\nA:x -when=a=1;',
    at: 2,
    good: 'setVar:a=1;\nA:x -when=a==1;\nA:x -when=a>=1;\nA:x -when=a===1;',
    fixed: 'setVar:a=1;\nA:x -when=a==1;',
  },
  {
    row: '33',
    code: 'condition-bare-word',
    severity: 'warning',
    bad: 'setVar:name=Bob;\nA:x -when=name==Bob;',
    at: 2,
    good: 'setVar:name=Bob;\nA:x -when=name=="Bob";\nA:y -when=name==name;',
    fixed: 'setVar:name=Bob;\nA:x -when=name=="Bob";',
  },
  {
    row: '33 wide',
    code: 'condition-bare-word',
    severity: 'warning',
    bad: 'setVar:name=小明;\nA:x -when=name==小明;',
    at: 2,
    good: 'setVar:name=小明;\nA:x -when=name=="小明";',
    fixed: 'setVar:name=小明;\nA:x -when=name=="小明";',
  },
  { row: '34', code: 'empty-condition', severity: 'error', bad: 'A:x -when=;', good: 'A:x -when=true;' },
  {
    row: '35',
    code: 'unset-variable',
    severity: 'warning',
    bad: 'setVar:hpp=1;\nA:x -when=hp>0;',
    at: 2,
    good: 'setVar:hp=1;\nA:x -when=hp>0&&Game_name=="x";',
  },
  {
    row: '35 elsewhere',
    code: 'unset-variable',
    severity: 'warning',
    bad: 'A:x -when=mana>0;',
    good: 'A:x -when=other>0;',
    others: { 'chapter2.txt': 'setVar:other=1;' },
  },
  {
    row: '36',
    code: 'unknown-interpolation',
    severity: 'warning',
    bad: 'setVar:name=x;\nA:你好 {nmae};',
    at: 2,
    good: 'setVar:name=x;\nA:你好 {name} \\{nmae\\};\nA:{$stage.bgm.volume};',
    fixed: 'setVar:name=x;\nA:你好 {name};',
  },
  {
    row: '36 input',
    code: 'unknown-interpolation',
    severity: 'warning',
    bad: 'getUserInput:{nmae} -title=Name;',
    good: 'getUserInput:nmae -title=Name;\nA:{nmae};',
    fixed: 'getUserInput:nmae -title=Name;',
  },
  {
    row: '37',
    code: 'expression-syntax',
    severity: 'error',
    bad: 'setVar:x=random(1,);',
    good: 'setVar:x=random(1,6);\nsetVar:y=random();',
  },
  {
    row: '37 function',
    code: 'unknown-function',
    severity: 'error',
    bad: 'setVar:x=foo(1);',
    good: 'setVar:x=random(1,2,true);',
  },
  {
    row: '37 open',
    code: 'expression-syntax',
    severity: 'error',
    bad: 'setVar:x=foo(;',
    good: 'setVar:x=1;\nsetVar:x=(x+1)*2;',
  },
  {
    row: '38',
    code: 'setvar-operator',
    severity: 'warning',
    bad: 'setVar:x=a%2;',
    good: 'setVar:x=100%！;\nsetVar:a=1;\nsetVar:x=(a)%2;',
  },
  { row: '38 not', code: 'setvar-operator', severity: 'warning', bad: 'setVar:x=!a;', good: 'setVar:x=好!;' },
  {
    row: '39',
    code: 'setvar-text',
    severity: 'warning',
    bad: 'setVar:s=trueman;',
    good: 'setVar:s=true;\nsetVar:s=man;',
  },
  { row: '39 date', code: 'setvar-text', severity: 'warning', bad: 'setVar:d=2024-01-01;', good: 'setVar:d=2024;' },
  {
    row: '39 slash',
    code: 'setvar-text',
    severity: 'warning',
    bad: 'setVar:s=a/b;',
    good: 'setVar:a=4;\nsetVar:b=2;\nsetVar:s=a/b;',
  },
  { row: '40', code: 'setvar-malformed', severity: 'error', bad: 'setVar:a;', good: 'setVar:a=;' },
  { row: '40 twice', code: 'setvar-malformed', severity: 'error', bad: 'setVar:a==1;', good: 'setVar:a=1;' },
  {
    row: '41',
    code: 'invalid-json',
    severity: 'error',
    bad: 'setTransform:{position:{x:1}} -target=fig-left;',
    good: 'setTransform:{"position":{"x":1}} -target=fig-left;',
  },
  {
    row: '42',
    code: 'json-dash',
    severity: 'error',
    bad: 'setTransform:{"position":{"x": -500,"y": -3}} -target=fig-left;',
    good: 'setTransform:{"position":{"x":-500}} -target=fig-left;',
    fixed: 'setTransform:{"position":{"x":-500,"y":-3}} -target=fig-left;',
  },
  {
    row: '43',
    code: 'animation-not-list',
    severity: 'error',
    bad: 'setTempAnimation:{"alpha":0,"duration":0} -target=fig-left;',
    good: 'setTempAnimation:[{"alpha":0,"duration":0}] -target=fig-left;',
    fixed: 'setTempAnimation:[{"alpha":0,"duration":0}] -target=fig-left;',
  },
  {
    row: '44',
    code: 'frame-duration',
    severity: 'warning',
    bad: 'setTempAnimation:[{"alpha":0}] -target=fig-left;',
    good: 'setTempAnimation:[{"duration":0},{"duration":5}] -target=fig-left;',
  },
  {
    row: '45',
    code: 'unknown-transform-key',
    severity: 'warning',
    bad: 'setTransform:{"shockwave":1} -target=fig-left;',
    good: 'setTransform:{"shockwaveFilter":1} -target=fig-left;',
    fixed: 'setTransform:{"shockwaveFilter":1} -target=fig-left;',
  },
  {
    row: '45 rotation',
    code: 'rotation-degrees',
    severity: 'warning',
    bad: 'setTransform:{"rotation":45} -target=fig-left;',
    good: 'setTransform:{"rotation":0.785} -target=fig-left;',
    fixed: 'setTransform:{"rotation":0.785} -target=fig-left;',
  },
  {
    row: '46',
    code: 'unknown-animation',
    severity: 'error',
    bad: 'setAnimation:shaek -target=fig-left;',
    good: 'setAnimation:shake -target=fig-left;',
    fixed: 'setAnimation:shake -target=fig-left;',
  },
  {
    row: '46 unlisted',
    code: 'unknown-animation',
    severity: 'error',
    bad: 'setAnimation:wave -target=fig-left;',
    good: 'changeBg:bg.webp -enter=enter;\nchangeBg:bg.webp -enter=enter -exit=0;',
  },
  {
    row: '47',
    code: 'missing-target',
    severity: 'error',
    bad: 'setAnimation:shake;',
    good: 'setAnimation:shake -target=bg-main;',
  },
  {
    row: '47 unknown',
    code: 'unknown-target',
    severity: 'warning',
    bad: 'setAnimation:shake -target=figleft;',
    good: 'changeFigure:stand.webp -id=hero;\nsetAnimation:shake -target=hero;',
    fixed: 'setAnimation:shake -target=fig-left;',
  },
  {
    row: '48',
    code: 'invalid-value',
    severity: 'warning',
    bad: 'setTransform:{} -target=fig-left -ease=easeinout;',
    good: 'setTransform:{} -target=fig-left -ease=easeInOut;',
    fixed: 'setTransform:{} -target=fig-left -ease=easeInOut;',
  },
  {
    row: '48 size',
    code: 'invalid-value',
    severity: 'warning',
    bad: 'A:hi -fontSize=huge;',
    good: 'A:hi -fontSize=large;',
  },
  {
    row: '48 intro',
    code: 'invalid-value',
    severity: 'warning',
    bad: 'intro:a -animation=zoom;',
    good: 'intro:a -animation=slideIn;',
  },
  {
    row: '48 number',
    code: 'invalid-value',
    severity: 'warning',
    bad: 'bgm:theme.mp3 -volume=loud;',
    good: 'bgm:theme.mp3 -volume=80;',
  },
  {
    row: '49',
    code: 'wrong-slot-closed',
    severity: 'warning',
    bad: 'changeFigure:stand.webp -id=a -left;\nchangeFigure:none -left;',
    at: 2,
    good: 'changeFigure:stand.webp -left;\nchangeFigure:none -left;\nchangeFigure:stand.webp -id=a -left;\nchangeFigure:none -id=a;',
    fixed: 'changeFigure:stand.webp -id=a -left;\nchangeFigure:none -id=a -left;',
  },
  { row: '50', code: 'unknown-effect', severity: 'error', bad: 'pixiPerform:fog;', good: 'pixiPerform:heavySnow;' },
  { row: '51', code: 'wait-not-number', severity: 'error', bad: 'wait:1s;', good: 'wait:1000;', fixed: 'wait:1000;' },
  {
    row: '51 next',
    code: 'wait-next',
    severity: 'warning',
    bad: 'wait:500 -next;',
    good: 'wait:500;',
    fixed: 'wait:500;',
  },
  {
    row: '52',
    code: 'misdocumented-argument',
    severity: 'warning',
    bad: 'intro:a -delay=500;',
    good: 'intro:a -delayTime=500;',
    fixed: 'intro:a -delayTime=500;',
  },
  {
    row: '52 forward',
    code: 'misdocumented-argument',
    severity: 'warning',
    bad: 'intro:a -useForward;',
    good: 'intro:a -userForward;',
    fixed: 'intro:a -userForward;',
  },
  {
    row: '52 none',
    code: 'misdocumented-argument',
    severity: 'warning',
    bad: 'changeFigure:stand.webp -none;',
    good: 'changeFigure:none;',
  },
  {
    row: '53',
    code: 'unknown-argument',
    severity: 'warning',
    bad: 'changeBg:bg.webp -Next;',
    good: 'changeBg:bg.webp -next -when=true -continue;',
    fixed: 'changeBg:bg.webp -next;',
  },
  {
    row: '53 in the middle, where it stands anyway',
    code: 'unknown-argument',
    severity: 'info',
    bad: 'changeFigure:stand.webp -middle -next;',
    good: 'changeFigure:stand.webp -left -next;',
  },
  {
    row: '53 near',
    code: 'unknown-argument',
    severity: 'warning',
    bad: 'changeBg:bg.webp -nxt;',
    good: 'A:hi -hold;',
    fixed: 'changeBg:bg.webp -next;',
  },
  {
    row: '53 dash',
    code: 'missing-dash',
    severity: 'warning',
    bad: 'changeBg:bg.webp next;',
    good: 'changeBg:bg.webp -next;',
    fixed: 'changeBg:bg.webp -next;',
  },
  {
    row: '53 joined',
    code: 'joined-arguments',
    severity: 'warning',
    bad: 'changeFigure:stand.webp -left-next;',
    good: 'changeFigure:stand.webp -left -next;',
    fixed: 'changeFigure:stand.webp -left -next;',
  },
  {
    row: '54',
    code: 'too-many-rows',
    severity: 'warning',
    bad: 'A:一|二|三;',
    good: 'A:一|二;\nA:一|二|三 -fontSize=small;\nA:一|二\\|三;',
  },
  {
    row: '54 config',
    code: 'too-many-rows',
    severity: 'warning',
    bad: 'A:1|2|3|4|5;',
    good: 'A:1|2|3|4;',
    config: `${CONFIG}\nMax_line:4;`,
  },
  {
    row: '55',
    code: 'literal-brackets',
    severity: 'info',
    bad: 'A:看[这里];',
    good: 'A:看[笑顔](えがお);',
    fixed: 'A:看【这里】;',
  },
  {
    row: '5 glued',
    code: 'argument-shown',
    severity: 'warning',
    bad: 'A:你好。-next;',
    good: 'A:你好。 -next;\nA:he sat at the far-left;\nA:wait--next;\nA:a-b-c.',
    fixed: 'A:你好。 -next;',
  },
  {
    row: '5 glued, nothing said',
    code: 'argument-shown',
    severity: 'warning',
    bad: 'A:-v1.wav -next;',
    good: 'A: -v1.wav -next;',
    fixed: 'A: -v1.wav -next;',
  },
  {
    row: '5 glued value',
    code: 'argument-shown',
    severity: 'warning',
    bad: 'setVar:b=1;\nA:hello-when=b>0;',
    at: 2,
    good: 'setVar:b=1;\nA:hello -when=b>0;',
    fixed: 'setVar:b=1;\nA:hello -when=b>0;',
  },
  {
    row: '33 blank',
    code: 'blank-after-argument',
    severity: 'warning',
    bad: 'A:hi -next ;\nA:hi;',
    good: 'A:hi -next;\nA:hi -next -notend;\nA:hi -id=x ;',
    fixed: 'A:hi -next;\nA:hi;',
    version: '4.5.13',
  },
  {
    row: '33 blanks',
    code: 'blank-after-argument',
    severity: 'warning',
    bad: 'A:hi -next   -notend;',
    good: 'A:hi -next -notend;',
    fixed: 'A:hi -next -notend;',
    version: '4.3.15',
  },
  {
    row: '33 blank, newer engine',
    code: 'unknown-argument',
    severity: 'warning',
    bad: 'A:hi -nxet ;',
    good: 'A:hi -next ;\nA:hi -next  -notend;',
    version: '4.5.17',
  },
  {
    row: '33 old engine',
    code: 'condition-text-version',
    severity: 'warning',
    bad: 'setVar:name=Bob;\nA:x -when=name=="Bob";',
    at: 2,
    good: 'setVar:hp=1;\nA:x -when=hp==1;',
    version: '4.5.17',
  },
  {
    row: '33 old engine, no quotes',
    code: 'condition-text-version',
    severity: 'info',
    bad: 'setVar:name=Bob;\nA:x -when=name==Bob;',
    at: 2,
    good: 'setVar:hp=1;\nsetVar:other=1;\nA:x -when=hp==other;',
    version: '4.5.11',
  },
  {
    row: 'plus',
    code: 'setvar-plus',
    severity: 'warning',
    bad: 'setVar:hp=1;\nsetVar:hp=+1;',
    at: 2,
    good: 'setVar:hp=1;\nsetVar:hp=hp+1;',
    fixed: 'setVar:hp=1;\nsetVar:hp=hp+1;',
  },
  {
    row: 'plus before the equals sign',
    code: 'setvar-shorthand',
    severity: 'error',
    bad: 'setVar:hp=1;\nsetVar:hp+=2;',
    at: 2,
    good: 'setVar:hp=1;\nsetVar:hp=hp+2;',
    fixed: 'setVar:hp=1;\nsetVar:hp=hp+2;',
  },
  {
    row: 'times a sum',
    code: 'setvar-shorthand',
    severity: 'error',
    bad: 'setVar:hp=1;\nsetVar:hp *= hp+1;',
    at: 2,
    good: 'setVar:hp=1;\nsetVar:hp=hp*(hp+1);',
    fixed: 'setVar:hp=1;\nsetVar:hp=hp*(hp+1);',
  },
  {
    row: 'minus with blanks',
    code: 'setvar-shorthand',
    severity: 'error',
    bad: 'setVar:hp=1;\nsetVar:hp -= 2;',
    at: 2,
    good: 'setVar:hp=1;\nsetVar:hp=hp-2;',
    fixed: 'setVar:hp=1;\nsetVar:hp=hp-2;',
  },
  {
    row: 'minus with blanks, a sum and an argument',
    code: 'setvar-shorthand',
    severity: 'error',
    bad: 'setVar:hp=1;\nsetVar:hp -= hp+1 -global;',
    at: 2,
    good: 'setVar:hp=1;\nsetVar:hp=hp-(hp+1) -global;',
    fixed: 'setVar:hp=1;\nsetVar:hp=hp-(hp+1) -global;',
  },
  {
    row: 'shorthand of a Chinese name',
    code: 'setvar-shorthand',
    severity: 'error',
    bad: 'setVar:好感=1;\nsetVar:好感-=2;',
    at: 2,
    good: 'setVar:好感=1;\nsetVar:好感=-2;',
  },
  {
    row: 'blank in braces',
    code: 'unknown-interpolation',
    severity: 'warning',
    bad: 'setVar:hp=1;\nA:You have { hp } points;',
    at: 2,
    good: 'setVar:hp=1;\nA:You have {hp} points, { as } you see;',
    fixed: 'setVar:hp=1;\nA:You have {hp} points;',
  },
  {
    row: 'bar at the end of a menu',
    code: 'choose-empty-option',
    severity: 'warning',
    bad: 'choose:甲:chapter2.txt|乙:chapter2.txt|;',
    good: 'choose:甲:chapter2.txt|乙:chapter2.txt;',
    fixed: 'choose:甲:chapter2.txt|乙:chapter2.txt;',
  },
  {
    row: 'two bars in a menu',
    code: 'choose-empty-option',
    severity: 'warning',
    bad: 'choose:甲:chapter2.txt||乙:chapter2.txt;',
    good: 'choose:甲:chapter2.txt|乙:chapter2.txt;',
    fixed: 'choose:甲:chapter2.txt|乙:chapter2.txt;',
  },
  {
    row: 'scale as a number',
    code: 'transform-value',
    severity: 'warning',
    bad: 'changeFigure:stand.webp -left;\nsetTransform:{"alpha":1,"scale": 1.5} -target=fig-left;',
    at: 2,
    good: 'changeFigure:stand.webp -left;\nsetTransform:{"alpha":1,"scale":{"x":1.5,"y":1.5}} -target=fig-left;',
    fixed: 'changeFigure:stand.webp -left;\nsetTransform:{"alpha":1,"scale": {"x":1.5,"y":1.5}} -target=fig-left;',
  },
  {
    row: 'text for a number in a transform',
    code: 'transform-value',
    severity: 'warning',
    bad: 'changeFigure:stand.webp -left;\nsetTransform:{"scale":{"x":"100"},"position":{"x":"100"}} -target=fig-left;',
    at: 2,
    good: 'changeFigure:stand.webp -left;\nsetTransform:{"position":{"x":100}} -target=fig-left;',
    fixed: 'changeFigure:stand.webp -left;\nsetTransform:{"scale":{"x":"100"},"position":{"x":100}} -target=fig-left;',
  },
  {
    row: 'percent for alpha',
    code: 'transform-value',
    severity: 'warning',
    bad: 'changeFigure:stand.webp -left;\nsetTransform:{"alpha":50} -target=fig-left;',
    at: 2,
    good: 'changeFigure:stand.webp -left;\nsetTransform:{"alpha":0.5} -target=fig-left;',
  },
  {
    row: '49 empty middle',
    code: 'empty-place-closed',
    severity: 'info',
    bad: 'changeFigure:none;\nchangeFigure:stand.webp -left;\nA:x;\nchangeFigure:none;\nA:y;',
    at: 4,
    // Unknown, reset of all places, a label, a figure there, one perhaps, one with an id, another scene between.
    good: 'changeFigure:stand.webp -left;\nA:x;\nchangeFigure:none;\nA:y;\nchangeFigure:none;\nchangeFigure:none -left;\nA:z;\nchangeFigure:stand.webp -right;\nlabel:l;\nchangeFigure:none;\nA:w;\njumpLabel:l -when=n>1;\nchangeFigure:stand.webp;\nA:v;\nchangeFigure:none;\nA:u;\nchangeFigure:stand.webp -when=n>1;\nchangeFigure:none;\nA:t;\nchangeFigure:stand.webp -id=x;\nchangeFigure:none;\nA:s;\nchangeFigure:none -id=x;\ncallScene:chapter2.txt;\nchangeFigure:stand.webp -left;\nchangeFigure:none;\nA:r;',
    fixed: 'changeFigure:none;\nchangeFigure:stand.webp -left;\nA:x;\nchangeFigure:none -left;\nA:y;',
  },
  {
    row: 'truth',
    code: 'setvar-truth',
    severity: 'warning',
    bad: 'setVar:open=ture;',
    good: 'setVar:open=true;\nsetVar:other=tuesday;',
    fixed: 'setVar:open=true;',
  },
  {
    row: 'truth in capitals',
    code: 'setvar-truth',
    severity: 'warning',
    bad: 'setVar:open=False;',
    good: 'setVar:open=false;',
    fixed: 'setVar:open=false;',
  },
  {
    row: 'transition of nothing',
    code: 'missing-target',
    severity: 'error',
    bad: 'setTransition: -target= -enter=enter;',
    good: 'setTransition: -target=bg-main -enter=enter;',
  },
  {
    row: '56',
    code: 'markup-speaker',
    severity: 'error',
    bad: '[红](style=color:#f00)字;',
    good: ':[红](style=color:#f00)字;\n[红](style=color~#f00)字;\nA:[红](style=color:#f00)字;',
    fixed: ':[红](style=color:#f00)字;',
  },
  {
    row: '57',
    code: 'markup-bracket',
    severity: 'warning',
    bad: 'A:[x](style=color:rgb(1,2,3));',
    good: 'A:[x](style=color:#010203);',
  },
  {
    row: '58',
    code: 'continuation-line',
    severity: 'error',
    bad: 'changeFigure:stand.webp\n  -next;',
    at: 2,
    good: '  缩进的旁白;\n -v1.wav -fontSize=default;\n -a b.mp3 -fontSize=default;\n -fontSize=default;\n -notend -fontSize=default -id;',
    version: '4.6.1',
  },
  {
    row: '58 new',
    code: 'continuation-line',
    severity: 'error',
    bad: 'A:hi\n |second row;',
    at: 2,
    good: ':hi|second row;',
  },
  {
    row: '58 joined',
    code: 'continuation-line',
    severity: 'info',
    bad: 'changeFigure:stand.webp\n  -next;',
    at: 2,
    good: 'changeFigure:stand.webp -next;\n  缩进的旁白;',
    version: '4.6.4',
  },
  {
    row: '59',
    code: 'odd-speaker',
    severity: 'info',
    bad: '他压低声音，说: 走吧;',
    good: '小雪:走吧;\n田中 太郎:好;\n???:谁？;\n？？？:你是谁？;',
    fixed: ':他压低声音，说: 走吧;',
  },
  {
    row: '60',
    code: 'rare-speaker',
    severity: 'info',
    bad: 'WebGAL:一;\nWebGAL:二;\nWebGAl:三;',
    at: 3,
    good: 'WebGAL:一;\nWebGAL:二;\n旁人:三;\n問題十一:一;\n問題十一:二;\n問題十:一;\n問題十:二;\n問題十五:三;\nWebGAL2:三;',
    fixed: 'WebGAL:一;\nWebGAL:二;\nWebGAL:三;',
  },
  { row: '61', code: 'first-speaker', severity: 'info', bad: '你好;', good: ':你好;\n再见;' },
  {
    row: '62',
    code: 'recursive-call',
    severity: 'warning',
    bad: 'callScene:start.txt;',
    good: 'callScene:chapter2.txt;',
    others: { 'chapter2.txt': 'A:hi;' },
  },
  {
    row: '62 round',
    code: 'recursive-call',
    severity: 'warning',
    bad: 'callScene:chapter2.txt;',
    good: 'changeScene:chapter2.txt;',
    others: { 'chapter2.txt': 'callScene:start.txt;' },
  },
  {
    row: '21 in two hops',
    code: 'endless-loop',
    severity: 'error',
    bad: 'label:a;\nsetVar:n=1;\njumpLabel:b;\nlabel:b;\njumpLabel:a;',
    at: 5,
    good: 'label:a;\nsetVar:n=1;\njumpLabel:b;\nlabel:b;\njumpLabel:a -when=n>3;\nend;',
  },
  {
    row: 'loop over scenes',
    code: 'endless-scenes',
    severity: 'error',
    bad: 'changeScene:chapter2.txt;',
    good: 'A:hi;\nchangeScene:chapter2.txt;',
    others: { 'chapter2.txt': 'setVar:n=1;\nchangeScene:start.txt;' },
  },
  {
    row: 'branch',
    code: 'branch-falls-through',
    severity: 'info',
    bad: 'choose:甲:one|乙:two|丙:three;\nlabel:one;\nA:一;\nlabel:two;\nA:二;\njumpLabel:after;\nlabel:three;\nA:三;\nlabel:after;\nend;',
    at: 4,
    good: 'choose:去:go|不去:after;\nlabel:go;\nA:走;\nlabel:inside;\nA:到;\njumpLabel:inside -when=n>1;\nlabel:after;\nend;',
  },
  {
    row: 'branch, the last',
    code: 'branch-falls-through',
    severity: 'info',
    bad: 'choose:甲:one|乙:two;\nlabel:one;\nA:一;\nlabel:two;\nA:二;\njumpLabel:after;\nlabel:after;\nend;',
    at: 4,
    good: 'choose:甲:one|乙:two;\nlabel:one;\nA:一;\njumpLabel:two;\nlabel:two;\nA:二;\njumpLabel:after;\nlabel:after;\nend;',
  },
  {
    row: 'call left open',
    code: 'call-left-open',
    severity: 'info',
    bad: 'A:hi;\ncallScene:chapter2.txt;\nend;',
    at: 2,
    good: 'A:hi;\ncallScene:sub/d.txt;\nend;',
    others: { 'chapter2.txt': 'A:店;\nchangeScene:start.txt;', 'sub/d.txt': 'A:店;' },
  },
  {
    row: 'target not on stage',
    code: 'target-not-on-stage',
    severity: 'warning',
    bad: 'changeFigure:stand.webp -right -next;\nsetAnimation:shake -target=fig-left;\nend;',
    at: 2,
    good: 'changeFigure:stand.webp -left -next;\nsetAnimation:shake -target=fig-left;\nend;',
  },
  {
    row: 'figure left',
    code: 'figure-left-on-stage',
    severity: 'info',
    bad: 'changeFigure:stand.webp -id=hero -next;\nchangeFigure:stand.webp -left;\nchangeScene:chapter2.txt;',
    good: 'changeFigure:stand.webp -id=hero -next;\nchangeFigure:none -id=hero;\nchangeFigure:stand.webp -left;\nchangeScene:sub/d.txt;',
    at: 1,
    lookIn: 'game/scene/chapter2.txt',
    others: {
      'chapter2.txt': 'changeBg:bg.webp;\nA:到了;\nend;',
      'sub/d.txt': 'changeFigure:none -left;\nchangeBg:bg.webp;\nA:到了;\nend;',
    },
  },
  {
    row: 'music by way',
    code: 'music-by-way',
    severity: 'info',
    bad: 'choose:甲:one|乙:chapter2.txt;\nlabel:one;\nbgm:theme.mp3;\nchangeScene:chapter2.txt;',
    good: 'bgm:theme.mp3;\nchoose:甲:one|乙:chapter2.txt;\nlabel:one;\nA:hi;\nchangeScene:chapter2.txt;',
    lookIn: 'game/scene/chapter2.txt',
    others: { 'chapter2.txt': 'A:到了;\nend;' },
  },
  {
    row: 'read before set',
    code: 'read-before-set',
    severity: 'info',
    bad: 'A:x -when=hp>0;\nsetVar:hp=1;\nend;',
    good: 'choose:甲:a|乙:b;\nlabel:a;\nsetVar:hp=1;\njumpLabel:b;\nlabel:b;\nA:{hp} -when=hp>0;\nend;',
  },
  {
    row: 'calculation before set',
    code: 'calculation-before-set',
    severity: 'warning',
    bad: 'setVar:hp=hp+1;\nend;',
    good: 'setVar:hp=0;\nlabel:a;\nsetVar:hp=hp+1;\nA:{hp};\njumpLabel:a -when=hp<3;\nend;',
  },
  {
    row: '63 empty',
    code: 'no-ending',
    severity: 'warning',
    bad: 'A:hi;\nchoose:x:chapter2.txt|y:start.txt;',
    good: 'A:hi;\ncallScene:chapter2.txt;\nend;',
    lookIn: 'game/scene/chapter2.txt',
    others: { 'chapter2.txt': '; nothing yet' },
  },
  {
    row: '63 come to both ways',
    code: 'no-ending',
    severity: 'warning',
    bad: 'callScene:chapter2.txt;\nchangeScene:chapter2.txt;',
    good: 'callScene:chapter2.txt;\nend;',
    lookIn: 'game/scene/chapter2.txt',
    others: { 'chapter2.txt': 'A:hi;' },
  },
  {
    row: '37 condition',
    code: 'condition-syntax',
    severity: 'error',
    bad: 'setVar:a=1;\nA:x -when=a>0 and a<5;\nend;',
    at: 2,
    good: 'setVar:a=1;\nA:x -when=a>0&&a<5;\nend;',
    fixed: 'setVar:a=1;\nA:x -when=a>0 && a<5;\nend;',
  },
  {
    row: '66 unknown language',
    code: 'config-language-value',
    severity: 'warning',
    bad: 'Game_key:a;\nDefault_Language:zh-CN;',
    at: 2,
    good: 'Game_key:a;\nDefault_Language:zh_CN;',
    path: 'game/config.txt',
    fixed: 'Game_key:a;\nDefault_Language:zh_CN;',
  },
  { row: '63', code: 'no-ending', severity: 'warning', bad: 'A:再见;\n; 注', good: 'A:再见;\nend;' },
  {
    row: '63 called',
    code: 'no-ending',
    severity: 'warning',
    bad: 'A:hi;',
    good: 'A:hi;\nchangeScene:start.txt;',
    path: 'game/scene/chapter2.txt',
    others: { 'start.txt': 'changeScene:chapter2.txt;' },
  },
  {
    row: '63 either way',
    code: 'no-ending',
    severity: 'info',
    bad: 'setVar:a=1;\nA:hi;\nchangeScene:chapter2.txt -when=a>=4;\nsetVar:a=9;\nchangeScene:sub/d.txt -when=a<4;',
    at: 5,
    good: 'setVar:a=1;\nA:hi;\nchangeScene:chapter2.txt -when=a>=4;\nA:then;\nchangeScene:sub/d.txt -when=a<4;',
  },
  {
    row: '63 end either way',
    code: 'no-ending',
    severity: 'info',
    bad: 'setVar:q=1;\nA:hi;\nend: -when=q==1;\nend: -when=q==2;',
    at: 4,
    good: 'setVar:q=1;\nA:hi;\nend: -when=q==1;\nend: -when=q!=1;',
  },
  {
    row: '63 jump either way',
    code: 'no-ending',
    severity: 'info',
    bad: 'setVar:f=1;\nlabel:a;\nA:hi;\nend: -when=f;\njumpLabel:nolabel -when=!f;',
    at: 5,
    good: 'setVar:f=1;\nlabel:a;\nA:hi;\nend: -when=f;\njumpLabel:a -when=!f;',
  },
  {
    row: '64',
    code: 'unreachable',
    severity: 'info',
    bad: 'end;\nA:到不了;',
    at: 2,
    good: 'end: -when=true;\nA:也许;\njumpLabel:x -when=a>0;\nend;\nlabel:x;\nA:能到;\njumpLabel:x;',
  },
  {
    row: '65',
    code: 'figure-runtime',
    severity: 'warning',
    bad: 'changeFigure:hiyori/model.json;',
    good: 'changeFigure:stand.webp;',
  },
  {
    row: '65 spine',
    code: 'figure-runtime',
    severity: 'warning',
    bad: 'changeFigure:spine/hero.skel;',
    good: 'changeFigure:hiyori/model.json;',
    files: [...FILES, 'lib/live2d.min.js', 'lib/live2dcubismcore.min.js'],
  },
  {
    row: '66 language',
    code: 'config-language',
    severity: 'info',
    bad: 'Game_name:x;\nGame_key:y;',
    good: CONFIG,
    path: 'game/config.txt',
  },
  {
    row: '66 key',
    code: 'config-game-key',
    severity: 'warning',
    bad: 'Game_key:;\nDefault_Language:en;',
    good: CONFIG,
    path: 'game/config.txt',
  },
  {
    row: '66 image',
    code: 'missing-file',
    severity: 'warning',
    bad: 'Title_img:gb.webp;',
    good: 'Title_img:bg.webp;\nTitle_bgm:theme.mp3;\nGame_Logo:bg.webp|beach.jpg;',
    path: 'game/config.txt',
    fixed: 'Title_img:bg.webp;',
  },
  {
    row: '66 cut',
    code: 'config-cut-value',
    severity: 'warning',
    bad: 'Game_name:A - B;',
    good: 'Game_name:A-B;',
    path: 'game/config.txt',
  },
  {
    row: '66 space',
    code: 'config-key-space',
    severity: 'warning',
    bad: 'Game_name :x;',
    good: 'Game_name:x;',
    path: 'game/config.txt',
    fixed: 'Game_name:x;',
  },
  { row: '69', code: 'unlock-name', severity: 'info', bad: 'unlockCg:bg.webp;', good: 'unlockCg:bg.webp -name=海;' },
  {
    row: '70',
    code: 'concat-first',
    severity: 'info',
    bad: 'A:你好 -concat;',
    good: 'A:你好 -notend;\nA:再见 -concat;',
    fixed: 'A:你好;',
  },
  {
    row: '70 notend',
    code: 'notend-alone',
    severity: 'info',
    bad: 'A:等一下 -notend;\nA:好;',
    good: 'A:等一下 -notend;\nwait:500;\nA:好 -concat;',
  },
  { row: '71', code: 'input-without-variable', severity: 'error', bad: 'getUserInput:;', good: 'getUserInput:age;' },
  {
    row: '71 number',
    code: 'input-number',
    severity: 'warning',
    bad: 'getUserInput:age;\nsetVar:age=age+1;',
    at: 2,
    good: 'getUserInput:age;\nsetVar:age=age*1+1;\nA:x -when=age>18;',
    fixed: 'getUserInput:age;\nsetVar:age=age*1+1;',
  },
  { row: '72', code: 'reserved-name', severity: 'error', bad: 'setVar:hasOwnProperty=1;', good: 'setVar:toString=1;' },
  { row: '72 proto', code: 'reserved-name', severity: 'error', bad: 'setVar:__proto__=1;', good: 'setVar:proto=1;' },
  {
    row: '73',
    code: 'none-text',
    severity: 'warning',
    bad: 'A:none;',
    good: 'A:None;\nA:none of them;',
    fixed: 'A:None;',
  },
  {
    row: '1 plural',
    code: 'unknown-command',
    severity: 'error',
    bad: 'Labels:a;',
    good: 'Mabel:hi;\nLabels:都贴好了。;',
    fixed: 'label:a;',
  },
  { row: '1 if', code: 'unknown-command', severity: 'error', bad: 'if:a>1;', good: 'iPhone:if;\nIfe:a>1;' },
  { row: '1 comment', code: 'unknown-command', severity: 'error', bad: 'comment:x;', good: ';comment:x;' },
  {
    row: '1 return',
    code: 'unknown-command',
    severity: 'error',
    bad: 'return:5;',
    good: 'A:return;',
  },
  {
    row: '6 scene',
    code: 'missing-content',
    severity: 'error',
    bad: 'changeScene:;',
    good: 'changeScene:chapter2.txt;\nchangeBg:none;\nchangeBg:;',
  },
  { row: '6 none', code: 'missing-content', severity: 'error', bad: 'changeScene:none;', good: 'bgm:none;' },
  { row: '6 call', code: 'missing-content', severity: 'error', bad: 'callScene:;', good: 'callScene:chapter2.txt;' },
  {
    row: '6 label',
    code: 'missing-content',
    severity: 'error',
    bad: 'jumpLabel:;',
    good: 'label:none;\nA:hi;\njumpLabel:none;',
  },
  {
    row: '10 style',
    code: 'unescaped-semicolon',
    severity: 'warning',
    bad: 'A:style=color:red;bold',
    good: 'A:style=color:red; // bold\nA:style=color:red;',
    fixed: 'A:style=color:red\\;bold',
  },
  {
    row: '10 sentence',
    code: 'unescaped-semicolon',
    severity: 'warning',
    bad: 'A:I waited; then we left.;',
    good: 'A:I waited; // then we left;\nA:I waited; why we left\nA:hi;;\nA:hi; 注:改;\nA:hi;--- scene two ---;',
    fixed: 'A:I waited\\; then we left.;',
  },
  {
    row: '10 sentence without an end',
    code: 'unescaped-semicolon',
    severity: 'warning',
    bad: ": The sun wasn't just bright; it was blinding.",
    good: 'A:It rained. ; then it stopped.\nA:你好; she says hello.\nA:It rained; Then it stopped.\nA:It rained; then it stopped',
    fixed: ": The sun wasn't just bright\\; it was blinding.",
  },
  {
    row: '10 comma',
    code: 'unescaped-semicolon',
    severity: 'warning',
    bad: 'A:这是，;一半。;',
    good: 'A:这是，一半。;',
    fixed: 'A:这是，一半。;',
  },
  {
    row: '10 wide',
    code: 'unescaped-semicolon',
    severity: 'warning',
    bad: 'A:这是;一半。;',
    good: 'A:这是\\;一半。;\nA:这是;一半\nA:你好。;开心地。;\nA:你好;语气温柔;',
    fixed: 'A:这是\\;一半。;',
  },
  {
    row: '45 within',
    code: 'unknown-transform-key',
    severity: 'warning',
    bad: 'setTransform:{"position":{"X":1}} -target=fig-left;',
    good: 'setTransform:{"position":{"x":1,"y":2},"scale":{"x":1}} -target=fig-left;',
    fixed: 'setTransform:{"position":{"x":1}} -target=fig-left;',
  },
  { row: '51 negative', code: 'wait-not-number', severity: 'error', bad: 'wait:-5;', good: 'wait:0;\nwait:{time};' },
  {
    row: '52 content',
    code: 'misdocumented-argument',
    severity: 'warning',
    bad: 'changeFigure:stand.webp -none;',
    good: 'changeFigure:none;',
  },
  {
    row: '54 empty',
    code: 'too-many-rows',
    severity: 'warning',
    bad: 'A:l1||l3;',
    good: 'A:l1|l2|;\nA:l1||;\nA:l1|l2| | -next;',
  },
  {
    row: '59 quotation',
    code: 'odd-speaker',
    severity: 'info',
    bad: '他说: "走吧";',
    good: '小说:走吧;\n小雪:"走吧";\n他说:走吧;',
    fixed: ':他说: "走吧";',
  },
  {
    row: '59 time',
    code: 'odd-speaker',
    severity: 'info',
    bad: '时间 12:30 到了;',
    good: '路人1:3 块钱;\n路人1:300;\n路人12:你好;',
    fixed: ':时间 12:30 到了;',
  },
  {
    row: '73 arguments',
    code: 'none-text',
    severity: 'warning',
    bad: 'A:none -when=1==1;',
    good: 'A:no one -when=1==1;',
    fixed: 'A:None -when=1==1;',
  },
  {
    row: '73 voice',
    code: 'none-text',
    severity: 'warning',
    bad: 'A:none -v1.wav;',
    good: 'A:nine -v1.wav;',
    fixed: 'A:None -v1.wav;',
  },
  { row: '73 bare', code: 'none-text', severity: 'warning', bad: 'none;', good: 'None;', fixed: 'None;' },
  {
    row: 'semicolon',
    code: 'missing-semicolon',
    severity: 'info',
    bad: 'A:你好',
    good: 'A:你好;\n; 注\n',
    fixed: 'A:你好;',
  },
  {
    row: 'semicolon before a line of the same statement',
    code: 'missing-semicolon',
    severity: 'info',
    bad: 'changeFigure:stand.webp\n  -left;',
    good: 'A:你好\\\nA:嗯;\nend\u3000\nend ',
    version: '4.6.1',
  },
  {
    row: 'version',
    code: 'argument-version',
    severity: 'warning',
    bad: 'choose:A:chapter2.txt -defaultChoose=1;',
    good: 'choose:A:chapter2.txt;',
  },
];

/** Codes about the project rather than a line: each has a test below, or beside the rule. */
const TESTED_ELSEWHERE = [
  'check-settings',
  'check-settings-code',
  'check-settings-value',
  'command-version',
  'engine-commands',
  'gallery-off',
  'missing-config',
  'missing-start',
  'old-commands',
  'orphan-file',
  'story-without-ending',
  'unreachable-scene',
  'unreadable-file',
];

describe('the rows of this test', () => {
  test('cover every code with a problem and a near miss', () => {
    const tested = new Set([...ROWS.map(({ code }) => code), ...TESTED_ELSEWHERE]);
    expect([...tested].sort()).toEqual(Object.keys(DIAGNOSTICS).sort());
    const numbers = new Set(ROWS.map(({ row }) => Number.parseInt(row, 10)));
    // 67 and 68 are about the project.
    expect(Array.from({ length: 73 }, (_, at) => at + 1).filter((number) => !numbers.has(number))).toEqual([67, 68]);
  });

  test('cover every code with a fix by a row that applies it', () => {
    const fixable = ROWS.filter((row) => find(row, row.bad).some(({ fixes }) => fixes !== undefined));
    const applied = new Set(ROWS.filter(({ fixed }) => fixed !== undefined).map(({ code }) => code));
    expect([...new Set(fixable.map(({ code }) => code))].filter((code) => !applied.has(code))).toEqual([]);
  });
});

describe.each(ROWS)('row $row: $code', (row) => {
  test('is reported at its position', () => {
    const found = find(row, row.bad);
    expect(found.map((diagnostic) => [diagnostic.line, diagnostic.severity])).toContainEqual([
      row.at ?? 1,
      row.severity,
    ]);
    const [first] = found;
    expect(first?.message).not.toMatch(/(?<!\\u)\{(?!nmae)\w+\}/);
    expect(first?.fixHint).not.toMatch(/\{(?:word|name|command|actual|folder)\}/);
    expect(first?.endColumn).toBeGreaterThan(first?.column ?? 0);
  });

  test('is not reported for the near miss', () => {
    expect(find(row, row.good).map((diagnostic) => `${diagnostic.line}: ${diagnostic.message}`)).toEqual([]);
  });

  if (row.lookIn === undefined && row.path !== 'game/config.txt') {
    test('is suppressed by a comment on the line before', () => {
      const at = row.at ?? 1;
      const before = find(row, row.bad).filter(({ line }) => line === at);
      const text = row.bad
        .split('\n')
        .toSpliced(at - 1, 0, `;@ignore ${row.code}`)
        .join('\n');
      const after = find(row, text).filter(({ line }) => line === at + 1);
      expect([before.length > 0, after]).toEqual([true, []]);
    });
  }

  if (row.fixed !== undefined) {
    test('is fixed by its fix', () => {
      const found = find(row, row.bad).find((diagnostic) => diagnostic.line === (row.at ?? 1));
      const text = apply(row.bad, found?.fixes?.[0]?.edits ?? []);
      expect(text).toBe(row.fixed);
      expect(find(row, text)).toEqual([]);
    });
  }
});

describe('project rows', () => {
  const codes = (index: ProjectIndex) =>
    diagnoseProject(index, { locale: 'en' })
      .filter((found) =>
        ['missing-start', 'missing-config', 'orphan-file', 'unreachable-scene', 'gallery-off'].includes(found.code),
      )
      .map((found) => `${found.severity} ${found.code} ${found.path}`);

  test('row 67: reports a missing start.txt and config.txt', () => {
    const index = createProjectIndex();
    index.setFiles(['game/scene/other.txt']);
    expect(codes(index)).toEqual(['error missing-config game/config.txt', 'error missing-start game/scene/start.txt']);
    index.setFiles(FILES);
    expect(codes(index).filter((code) => code.includes('missing'))).toEqual([]);
  });

  test('row 68: reports unused files and unreachable scenes', () => {
    const index = createProjectIndex();
    index.setFiles([
      'game/config.txt',
      'game/scene/start.txt',
      'game/background/a.png',
      'game/background/b.png',
      'game/background/c.png',
    ]);
    index.setConfig('Title_img:c.png;');
    index.setScene('game/scene/start.txt', 'setVar:bg=b.png;\nchangeBg:a.png;\nchangeScene:two.txt;');
    index.setScene('game/scene/two.txt', 'changeBg:{bg};\nend;');
    expect(codes(index)).toEqual([]);
    index.addFile('game/background/d.png');
    index.setScene('game/scene/three.txt', 'end;');
    expect(codes(index)).toEqual([
      'info orphan-file game/background/d.png',
      'info unreachable-scene game/scene/three.txt',
    ]);
  });

  test('reports a story without an ending', () => {
    const index = createProjectIndex();
    const endless = () =>
      diagnoseProject(index, { locale: 'en' }).filter(({ code }) => code === 'story-without-ending').length;
    index.setScene('game/scene/start.txt', 'A:hi;\nchangeScene:two.txt;');
    index.setScene('game/scene/two.txt', 'A:hi;\nchangeScene:start.txt;');
    expect(endless()).toBe(1);
    index.setScene('game/scene/two.txt', 'A:hi;\nend: -when=a>0;\nchangeScene:start.txt;');
    expect(endless()).toBe(0);
  });

  test('row 69: reports unlocking with the gallery off', () => {
    const index = createProjectIndex();
    index.setScene('game/scene/start.txt', 'unlockCg:a.png -name=x;\nend;');
    index.setConfig('Game_key:x;');
    expect(codes(index)).toEqual(['info gallery-off game/config.txt']);
    index.setConfig('Game_key:x;\nEnable_Appreciation:true;');
    expect(codes(index)).toEqual([]);
  });
});
