import type { LocalText } from '../../model/text.ts';
import {
  type AssetFolder,
  BLEND_MODES,
  COMPLEX_ANIMATIONS,
  EASES,
  EFFECTS,
  FONT_SIZES,
  INTRO_ANIMATIONS,
} from './command-values.ts';

/** Meaning of the text between the colon and the arguments. */
export type ContentSpec =
  | { kind: 'text' | 'rows' | 'choices' | 'label' | 'jump' | 'assignment' | 'variable' | 'milliseconds' }
  | { kind: 'transform' | 'frames' | 'animation' | 'styles' | 'switch' | 'nothing' }
  | { kind: 'asset'; folder: Exclude<AssetFolder, 'scene'> }
  | { kind: 'scene'; folder: 'scene' }
  | { kind: 'values'; values: readonly string[] };

export type ArgumentType =
  | 'flag'
  | 'number'
  | 'text'
  | 'condition'
  | 'transform'
  | 'json'
  | 'asset'
  | 'animation'
  | 'target'
  | 'figure'
  | 'values'
  | 'color'
  | 'pattern';

export interface ArgumentSpec {
  name: string;
  type: ArgumentType;
  doc: LocalText;
  values?: readonly string[];
  folder?: Exclude<AssetFolder, 'scene'>;
  minimum?: number;
  maximum?: number;
  /** Default of the engine, as written in a script. */
  standard?: string;
  /** First engine version that supports it. */
  since?: string;
  /** True for arguments that appear in published scripts and have no effect. */
  isInert?: boolean;
}

export interface Command {
  name: string;
  content: ContentSpec;
  arguments: ReadonlyMap<string, ArgumentSpec>;
  /** True when the story continues with the next line automatically, regardless of `-next`. */
  autoNext: boolean;
  /** True when the story waits: for a click, a choice or a duration. */
  pauses: boolean;
  /** Effect of the bare word without a colon. `own-name`: the word itself is used as the content. */
  bare: 'fine' | 'own-name' | 'closes-with-none';
  doc: LocalText;
  example: string;
  /** Wrong argument names from documentation or other tools, with the working name (null: there is none). */
  misnamed: ReadonlyMap<string, string | null>;
}

const text = (zh: string, en: string): LocalText => ({ 'zh-CN': zh, en });

type Extra = Omit<ArgumentSpec, 'name' | 'type' | 'doc'>;
const argument = (name: string, type: ArgumentType, doc: LocalText, extra: Extra = {}): ArgumentSpec => ({
  name,
  type,
  doc,
  ...extra,
});
const flag = (name: string, zh: string, en: string, extra: Extra = {}) => argument(name, 'flag', text(zh, en), extra);
const number = (name: string, zh: string, en: string, extra: Extra = {}) =>
  argument(name, 'number', text(zh, en), { minimum: 0, ...extra });
const words = (name: string, zh: string, en: string, extra: Extra = {}) => argument(name, 'text', text(zh, en), extra);

const volume = number('volume', '音量，0 到 100。', 'Loudness from 0 to 100.', { maximum: 100, standard: '100' });
const series = words('series', '鉴赏中所属的系列。', 'The series it is filed under in the gallery.', {
  standard: 'default',
});
const order = number('order', '鉴赏中的排列次序。', 'Its place in the gallery.', { since: '4.6.1', standard: '0' });
const ease = argument('ease', 'values', text('动画的缓动曲线。', 'How the movement speeds up and slows down.'), {
  values: EASES,
  standard: 'easeInOut',
});
const target = argument(
  'target',
  'target',
  text('作用的对象：舞台位置或立绘的 id。', 'What it acts on: a place on stage or a figure id.'),
);
const transform = argument(
  'transform',
  'transform',
  text('出现时的变换，单行 JSON。', 'How it is placed and tinted, as JSON on one line.'),
);
const enter = argument('enter', 'animation', text('进场动画的名字。', 'Animation to come in with.'));
const exit = argument('exit', 'animation', text('退场动画的名字。', 'Animation to leave with.'));
const enterDuration = number('enterDuration', '进场时长（毫秒）。', 'Milliseconds the entrance takes.');
const exitDuration = number('exitDuration', '退场时长（毫秒）。', 'Milliseconds the exit takes.');
const ignoreDefault = flag('ignoreDefault', '不套用默认的进出场效果。', 'Leaves out the built-in entrance and exit.', {
  since: '4.6.1',
});
const writeDefault = flag(
  'writeDefault',
  '没写到的属性回到默认值。',
  'Properties not named go back to their defaults.',
);
const keep = flag('keep', '动画跨越后面的语句继续进行。', 'The animation goes on while the story moves ahead.');
const parallel = flag(
  'parallel',
  '与同一对象上的其他动画同时进行。',
  'Runs beside other animations of the same target.',
  { since: '4.6.0' },
);
const moving = [target, writeDefault, keep, parallel, ignoreDefault];

/** Arguments of every command. */
const UNIVERSAL_ARGUMENTS: readonly ArgumentSpec[] = [
  flag('next', '执行完立刻执行下一句，不等待点击。', 'Goes on to the next line at once, without waiting.'),
  flag('continue', '演出结束后自动执行下一句。', 'Goes on by itself when this line has finished.'),
  argument('when', 'condition', text('条件成立时才执行这一句。', 'Runs the line only when the condition holds.')),
];

interface Declaration {
  content: ContentSpec;
  args?: readonly ArgumentSpec[];
  autoNext?: boolean;
  pauses?: boolean;
  bare?: Command['bare'];
  doc: LocalText;
  example: string;
  misnamed?: Record<string, string | null>;
}

function define(name: string, declaration: Declaration): Command {
  return {
    name,
    content: declaration.content,
    arguments: new Map([...(declaration.args ?? []), ...UNIVERSAL_ARGUMENTS].map((spec) => [spec.name, spec])),
    autoNext: declaration.autoNext ?? false,
    pauses: declaration.pauses ?? false,
    bare: declaration.bare ?? 'own-name',
    doc: declaration.doc,
    example: declaration.example,
    misnamed: new Map(Object.entries(declaration.misnamed ?? {})),
  };
}

/** Dialogue: every line whose first word is not a command. */
export const SAY: Command = define('say', {
  content: { kind: 'text' },
  pauses: true,
  doc: text(
    '对话。冒号前是说话人，冒号后是台词；没有冒号则沿用上一位说话人，冒号前为空则是旁白。',
    'Dialogue. Before the colon the speaker, after it the words. Without a colon the last speaker goes on; with nothing before the colon it is narration.',
  ),
  example: '小雪:你好，|好久不见。 -hello.ogg;',
  args: [
    words('speaker', '说话人的名字。', "The speaker's name."),
    flag('clear', '清空说话人的名字。', 'Shows no name.'),
    argument('vocal', 'asset', text('语音文件（vocal 文件夹）。', 'Voice file, from the vocal folder.'), {
      folder: 'vocal',
    }),
    volume,
    flag('concat', '接在上一句后面显示，不清空文本框。', 'Adds to the text already shown.'),
    flag('notend', '这句话还没说完：显示完自动继续。', 'Not finished: goes on by itself when shown.'),
    argument('fontSize', 'values', text('字号，只对这一句有效。', 'Size of the letters, for this line only.'), {
      values: FONT_SIZES,
      standard: 'default',
    }),
    flag('left', '让左侧立绘对口型。', 'The left figure moves its lips.'),
    flag('right', '让右侧立绘对口型。', 'The right figure moves its lips.'),
    flag('center', '让中间立绘对口型。', 'The middle figure moves its lips.'),
    argument('figureId', 'figure', text('让这个 id 的立绘对口型。', 'The figure of this id moves its lips.')),
    flag('hold', '没有作用，只见于旧脚本。', 'Does nothing; seen in old scripts.', { isInert: true }),
    words('animationFlag', '没有作用，只见于旧脚本。', 'Does nothing; seen in old scripts.', { isInert: true }),
    words('id', '没有作用；Terre 的表单会写上它。', 'Does nothing; the form of Terre writes it.', { isInert: true }),
  ],
});

const COMMANDS: readonly Command[] = [
  SAY,
  define('changeBg', {
    content: { kind: 'asset', folder: 'background' },
    bare: 'closes-with-none',
    doc: text(
      '换背景。图片或视频放在 background 文件夹；写 none 移除背景。',
      'Changes the background to a picture or film from the background folder; none removes it.',
    ),
    example: 'changeBg:school.webp -next;',
    args: [
      transform,
      enter,
      exit,
      number('duration', '过渡时长（毫秒）。', 'Milliseconds the change takes.', { standard: '1500' }),
      enterDuration,
      exitDuration,
      ease,
      words('unlockname', '同时解锁 CG 鉴赏，用这个名字。', 'Also unlocks it in the gallery under this name.'),
      series,
      order,
      ignoreDefault,
    ],
  }),
  define('changeFigure', {
    content: { kind: 'asset', folder: 'figure' },
    bare: 'closes-with-none',
    doc: text(
      '显示或换立绘。默认在中间，-left、-right 放两侧，-id 是自由立绘；写 none 移除该位置的立绘。',
      'Shows or changes a figure: in the middle, at -left or -right, or free with an -id. none removes the figure of that place.',
    ),
    example: 'changeFigure:yukino.webp -left -next;',
    misnamed: { none: null, clear: null },
    args: [
      flag('left', '左侧。', 'At the left.'),
      flag('right', '右侧。', 'At the right.'),
      flag('center', '中间，本来就是默认位置。', 'In the middle, which is where it goes anyway.', { isInert: true }),
      ...['left13', 'right13', 'left14', 'right14'].map((place) =>
        flag(place, '更多的站位。', 'Another place to stand.', { since: '4.6.4' }),
      ),
      words('id', '自由立绘的 id，之后用它指这个立绘。', 'Id of a free figure, to speak of it later.'),
      flag('clear', '移除立绘；请改写 changeFigure:none。', 'Removes the figure; write changeFigure:none instead.'),
      transform,
      enter,
      exit,
      number('duration', '过渡时长（毫秒）。', 'Milliseconds the change takes.', { standard: '300' }),
      enterDuration,
      exitDuration,
      ease,
      number('zIndex', '前后次序，大的在前。', 'Which figure stands in front: the larger number.', { standard: '0' }),
      argument('blendMode', 'values', text('与背后画面的混合方式。', 'How it blends with what is behind.'), {
        values: BLEND_MODES,
        standard: 'normal',
      }),
      words('motion', 'Live2D 动作的名字。', 'Name of a Live2D motion.'),
      words('expression', 'Live2D 表情的名字。', 'Name of a Live2D expression.'),
      words('bounds', 'Live2D 画布的边界：左,上,右,下。', 'Edges of the Live2D canvas: left,top,right,bottom.'),
      argument('blink', 'json', text('Live2D 眨眼设置，JSON。', 'Live2D blinking, as JSON.')),
      argument('focus', 'json', text('Live2D 注视方向，JSON。', 'Where a Live2D figure looks, as JSON.')),
      words('skin', 'Spine 皮肤的名字。', 'Name of a Spine skin.', { since: '4.6.0' }),
      ...(
        [
          ['mouthOpen', '张嘴', 'mouth open'],
          ['mouthHalfOpen', '半张嘴', 'mouth half open'],
          ['mouthClose', '闭嘴', 'mouth closed'],
          ['eyesOpen', '睁眼', 'eyes open'],
          ['eyesClose', '闭眼', 'eyes closed'],
        ] as const
      ).map(([name, zh, en]) =>
        argument(
          name,
          'asset',
          text(`${zh}时的图片（figure 文件夹）。`, `Picture with ${en}, from the figure folder.`),
          { folder: 'figure' },
        ),
      ),
      words('animationFlag', '没有作用，只见于旧脚本。', 'Does nothing; seen in old scripts.', { isInert: true }),
      ignoreDefault,
    ],
  }),
  define('bgm', {
    content: { kind: 'asset', folder: 'bgm' },
    autoNext: true,
    bare: 'closes-with-none',
    doc: text(
      '播放背景音乐（bgm 文件夹），循环；写 none 停止。',
      'Plays music from the bgm folder in a loop; none stops it.',
    ),
    example: 'bgm:theme.mp3 -volume=80 -enter=2000;',
    args: [
      volume,
      number(
        'enter',
        '淡入时长（毫秒）；配合 none 时是淡出时长。',
        'Milliseconds to fade in, or out together with none.',
        { standard: '0' },
      ),
      words('unlockname', '同时解锁音乐鉴赏，用这个名字。', 'Also unlocks it in the gallery under this name.'),
      series,
    ],
  }),
  define('playEffect', {
    content: { kind: 'asset', folder: 'vocal' },
    autoNext: true,
    bare: 'closes-with-none',
    doc: text(
      '播放音效。文件放在 vocal 文件夹（不是 bgm）；写 none 停止。',
      'Plays a sound from the vocal folder (not bgm); none stops it.',
    ),
    example: 'playEffect:door.mp3;',
    args: [
      volume,
      words(
        'id',
        '有 id 的音效会循环，直到用同一个 id 停止。',
        'With an id the sound repeats until it is stopped by the same id.',
      ),
    ],
  }),
  define('playVideo', {
    content: { kind: 'asset', folder: 'video' },
    pauses: true,
    doc: text(
      '播放视频（video 文件夹），放完自动继续。',
      'Plays a film from the video folder and goes on when it ends.',
    ),
    example: 'playVideo:opening.mp4;',
    args: [flag('skipOff', '不能单击跳过（双击仍可以）。', 'A click does not skip it (a double click still does).')],
  }),
  define('pixiPerform', {
    content: { kind: 'values', values: EFFECTS },
    autoNext: true,
    doc: text(
      '给画面加上特效：雨、雪、大雪或樱花。',
      'Adds an effect to the picture: rain, snow, heavy snow or cherry blossoms.',
    ),
    example: 'pixiPerform:rain;',
  }),
  define('pixiInit', {
    content: { kind: 'nothing' },
    autoNext: true,
    bare: 'fine',
    doc: text('清除画面上的全部特效。', 'Takes all effects off the picture.'),
    example: 'pixiInit;',
  }),
  define('intro', {
    content: { kind: 'rows' },
    pauses: true,
    doc: text('黑屏文字，一行一行出现，用 | 分行。', 'Words on a dark screen, row by row, parted by |.'),
    example: 'intro:很久以前|有一座岛 -hold;',
    misnamed: { delay: 'delayTime', useForward: 'userForward' },
    args: [
      argument('fontSize', 'values', text('字号。', 'Size of the letters.'), {
        values: ['small', 'medium', 'large'],
        standard: 'medium',
      }),
      argument('fontColor', 'color', text('文字颜色，默认白色。', 'Colour of the letters, white unless said.'), {
        standard: 'white',
      }),
      argument('backgroundColor', 'color', text('底色，默认黑色。', 'Colour behind them, black unless said.'), {
        standard: 'black',
      }),
      argument(
        'backgroundImage',
        'asset',
        text(
          '背景图（background 文件夹，不能是网址）。',
          'Picture behind them, from the background folder; no web address.',
        ),
        { folder: 'background' },
      ),
      argument('animation', 'values', text('文字出现的方式。', 'How the rows appear.'), {
        values: INTRO_ANIMATIONS,
        standard: 'fadeIn',
      }),
      number('delayTime', '每一行之间的毫秒数。', 'Milliseconds between rows.', { standard: '1500' }),
      flag('hold', '全部显示后停住，等待点击。', 'Stays until the player clicks.'),
      flag(
        'userForward',
        '每一行都等待点击（同时等于 -hold）。',
        'Each row waits for a click (and stays, as with -hold).',
      ),
    ],
  }),
  define('miniAvatar', {
    content: { kind: 'asset', folder: 'figure' },
    autoNext: true,
    bare: 'closes-with-none',
    doc: text(
      '文本框左下角的小头像（figure 文件夹）；写 none 关闭。',
      'The small portrait beside the text box, from the figure folder; none hides it.',
    ),
    example: 'miniAvatar:face.webp;',
  }),
  define('changeScene', {
    content: { kind: 'scene', folder: 'scene' },
    doc: text(
      '转到另一个场景文件，不再回来。要写扩展名。',
      'Goes on in another scene file and does not come back. The ending must be written.',
    ),
    example: 'changeScene:chapter2.txt;',
  }),
  define('callScene', {
    content: { kind: 'scene', folder: 'scene' },
    doc: text('执行另一个场景，完了回到这里的下一句。', 'Plays another scene, then comes back to the next line here.'),
    example: 'callScene:flashback.txt;',
  }),
  define('choose', {
    content: { kind: 'choices' },
    pauses: true,
    doc: text(
      '给玩家选项：文字:去处，用 | 分开。去处带点是场景文件，不带点是本场景的标签。(条件)-> 决定显示，[条件]-> 决定可否点击。',
      'Lets the player choose: words:where to, parted by |. A place with a dot is a scene file, without one a label of this scene. (condition)-> decides whether it shows, [condition]-> whether it can be clicked.',
    ),
    example: 'choose:留下:stay|离开:chapter2.txt;',
    misnamed: { defaultChoice: 'defaultChoose' },
    args: [
      number(
        'defaultChoose',
        '快速预览时自动选第几项（从 1 数起）。',
        'Which option a fast preview takes, counted from 1.',
        { minimum: 1, since: '4.6.0' },
      ),
    ],
  }),
  define('end', {
    content: { kind: 'nothing' },
    bare: 'fine',
    doc: text('结束游戏，回到标题画面。', 'Ends the game and shows the title.'),
    example: 'end;',
  }),
  define('setComplexAnimation', {
    content: { kind: 'values', values: COMPLEX_ANIMATIONS },
    doc: text('执行内置的复杂动画。', 'Runs one of the built-in complex animations.'),
    example: 'setComplexAnimation:universalSoftIn -target=fig-center;',
    args: [target, number('duration', '时长（毫秒）。', 'Milliseconds it takes.', { standard: '0' })],
  }),
  define('setFilter', {
    content: { kind: 'nothing' },
    bare: 'fine',
    doc: text('引擎认识这个词，但什么也不做。', 'The engine knows the word and does nothing.'),
    example: 'setFilter;',
    args: [target],
  }),
  define('label', {
    content: { kind: 'label' },
    autoNext: true,
    doc: text(
      '给这个位置起名，供 jumpLabel 和 choose 跳转。只在本场景有效。',
      'Names this place for jumpLabel and choose. Counts in this scene only.',
    ),
    example: 'label:morning;',
  }),
  define('jumpLabel', {
    content: { kind: 'jump' },
    doc: text('跳到本场景的标签。', 'Jumps to a label of this scene.'),
    example: 'jumpLabel:morning -when=tired==false;',
  }),
  define('setVar', {
    content: { kind: 'assignment' },
    autoNext: true,
    doc: text(
      '给变量赋值：名字=值。可以用 + - * / 和括号计算；减号前不能有空格。',
      'Sets a variable: name=value. + - * / and brackets calculate; no space before a minus.',
    ),
    example: 'setVar:score=score+1;',
    args: [
      flag('global', '存成全局变量，所有存档共用。', 'Kept for all saves of the game.'),
      flag('local', '只在当前场景调用内有效。', 'Counts within this call of the scene only.', { since: '4.6.4' }),
    ],
  }),
  define('getUserInput', {
    content: { kind: 'variable' },
    pauses: true,
    doc: text(
      '请玩家输入一段文字，存进变量。得到的总是文字，不是数。',
      'Asks the player for words and keeps them in a variable. They are text, never a number.',
    ),
    example: 'getUserInput:name -title=你的名字 -buttonText=好;',
    args: [
      words('title', '输入框的标题。', 'What the box asks.'),
      words('buttonText', '按钮上的字。', 'What the button says.', { standard: 'OK' }),
      words('defaultValue', '什么都不填时的值。', 'What an empty answer counts as.'),
      argument('rule', 'pattern', text('输入要满足的正则表达式。', 'A pattern the answer must match.'), {
        since: '4.6.0',
      }),
      words('ruleFlag', '正则表达式的标志。', 'Flags of the pattern.', { since: '4.6.0' }),
      words('ruleText', '不满足时的提示，$0 是输入的内容。', 'What to say when it does not match; $0 is the answer.', {
        since: '4.6.0',
      }),
      words('ruleButtonText', '提示框按钮上的字。', 'What the button of that message says.', { since: '4.6.0' }),
    ],
  }),
  define('showVars', {
    content: { kind: 'nothing' },
    pauses: true,
    bare: 'fine',
    doc: text('在文本框里列出全部变量，调试用。', 'Lists all variables in the text box, for testing.'),
    example: 'showVars;',
  }),
  define('unlockCg', {
    content: { kind: 'asset', folder: 'background' },
    autoNext: true,
    doc: text('在鉴赏里解锁一张 CG。', 'Unlocks a picture in the gallery.'),
    example: 'unlockCg:cg1.webp -name=初遇 -series=春;',
    args: [words('name', '鉴赏里显示的名字。', 'What the gallery calls it.'), series, order],
  }),
  define('unlockBgm', {
    content: { kind: 'asset', folder: 'bgm' },
    autoNext: true,
    doc: text('在鉴赏里解锁一首音乐。', 'Unlocks a piece of music in the gallery.'),
    example: 'unlockBgm:theme.mp3 -name=主题曲;',
    args: [words('name', '鉴赏里显示的名字。', 'What the gallery calls it.'), series],
  }),
  define('filmMode', {
    content: { kind: 'switch' },
    autoNext: true,
    doc: text(
      '上下黑边的电影模式。none 或不写内容是关闭，其他任何内容都是打开。',
      'Black bars above and below. none or nothing turns them off; anything else turns them on.',
    ),
    example: 'filmMode:enable;',
  }),
  define('setTextbox', {
    content: { kind: 'switch' },
    doc: text('hide 隐藏文本框，其他任何内容都是显示。', 'hide hides the text box; anything else shows it.'),
    example: 'setTextbox:hide;',
  }),
  define('setAnimation', {
    content: { kind: 'animation' },
    doc: text('播放 animationTable.json 里登记的动画。', 'Plays an animation listed in animationTable.json.'),
    example: 'setAnimation:shake -target=fig-left -next;',
    args: moving,
  }),
  define('setTempAnimation', {
    content: { kind: 'frames' },
    doc: text(
      '播放直接写在这一行的动画：单行 JSON 数组，每一帧要有 duration。',
      'Plays an animation written on the line: a JSON list of frames, each with a duration.',
    ),
    example: 'setTempAnimation:[{"alpha":0,"duration":0},{"alpha":1,"duration":500}] -target=fig-left;',
    args: moving,
  }),
  define('setTransform', {
    content: { kind: 'transform' },
    doc: text(
      '移动、缩放、染色舞台上的对象：单行 JSON。',
      'Moves, scales or tints something on stage: JSON on one line.',
    ),
    example: 'setTransform:{"position":{"x":500}} -target=fig-left -duration=800;',
    args: [...moving, number('duration', '时长（毫秒）。', 'Milliseconds it takes.', { standard: '500' }), ease],
  }),
  define('setTransition', {
    content: { kind: 'nothing' },
    autoNext: true,
    bare: 'fine',
    doc: text(
      '给紧挨着的 changeBg 或 changeFigure 指定进场和退场动画。',
      'Gives the changeBg or changeFigure right before it an entrance and an exit.',
    ),
    example: 'setTransition: -target=bg-main -enter=shockwaveIn;',
    args: [target, enter, exit, ignoreDefault],
  }),
  define('applyStyle', {
    content: { kind: 'styles' },
    autoNext: true,
    doc: text(
      '把界面的样式换成模板里的另一个：旧->新，用逗号分开。',
      'Swaps styles of the interface: Old->New, parted by commas.',
    ),
    example: 'applyStyle:TextBox_main->TextBox_dark;',
  }),
  define('wait', {
    content: { kind: 'milliseconds' },
    pauses: true,
    doc: text('等待若干毫秒。', 'Waits some milliseconds.'),
    example: 'wait:1000;',
    args: [flag('nobreak', '等待时不能点击跳过。', 'A click does not cut it short.', { since: '4.6.0' })],
  }),
  define('callSteam', {
    content: { kind: 'nothing' },
    autoNext: true,
    bare: 'fine',
    doc: text('解锁 Steam 成就，只在 Steam 版里有效。', 'Unlocks a Steam achievement; works in the Steam build only.'),
    example: 'callSteam: -achievementId=FIRST_END;',
    args: [words('achievementId', '成就的 id。', 'Id of the achievement.')],
  }),
];

const BY_NAME: ReadonlyMap<string, Command> = new Map(COMMANDS.map((command) => [command.name, command]));

/** All commands, dialogue first. */
export function listCommands(): readonly Command[] {
  return COMMANDS;
}

/** Stands for a command that only the game's own engine has. Its effect is unknown, so its line yields no finding. */
export const ENGINE_COMMAND: Command = define('', {
  content: { kind: 'nothing' },
  bare: 'fine',
  doc: text('这个游戏自带的引擎才有的命令。', 'A command of the engine that this game brings along.'),
  example: '',
});

/** Names of all arguments of all commands. */
export const ALL_ARGUMENTS: ReadonlySet<string> = new Set(COMMANDS.flatMap((command) => [...command.arguments.keys()]));

/** The command with exactly this name, or undefined: names are case-sensitive. */
export function findCommand(name: string): Command | undefined {
  return BY_NAME.get(name);
}

/**
 * Command-like words of other engines, of old WebGAL versions and common guesses, with the intended command. The engine
 * treats them as dialogue. `null`: no command does that.
 */
export const FOREIGN_COMMANDS: ReadonlyMap<string, string | null> = new Map<string, string | null>([
  ['playVocal', null],
  ['playVoice', null],
  ['voice', null],
  ['vocal', null],
  ['playBgm', 'bgm'],
  ['playMusic', 'bgm'],
  ['stopBgm', 'bgm'],
  ['music', 'bgm'],
  ['playSound', 'playEffect'],
  ['playSe', 'playEffect'],
  ['sound', 'playEffect'],
  ['effect', 'playEffect'],
  ['bg', 'changeBg'],
  ['background', 'changeBg'],
  ['setBg', 'changeBg'],
  ['showBg', 'changeBg'],
  ['setBackground', 'changeBg'],
  ['changeBackground', 'changeBg'],
  ['figure', 'changeFigure'],
  ['showFigure', 'changeFigure'],
  ['setFigure', 'changeFigure'],
  ['hideFigure', 'changeFigure'],
  ['video', 'playVideo'],
  ['movie', 'playVideo'],
  ['pixi', 'pixiPerform'],
  ['jump', 'jumpLabel'],
  ['goto', 'jumpLabel'],
  ['jumpScene', 'changeScene'],
  ['scene', 'changeScene'],
  ['call', 'callScene'],
  ['title', 'end'],
  ...['changeBG', 'changeBG_next'].map((name) => [name, 'changeBg'] as const),
  ...['', '_left', '_right', '_next', '_left_next', '_right_next'].map(
    (side) => [`changeP${side}`, 'changeFigure'] as const,
  ),
  ['chooseLabel', 'choose'],
  ['choice', 'choose'],
  ['menu', 'choose'],
  ['select', 'choose'],
  ['if', 'jumpLabel'],
  ['set', 'setVar'],
  ['var', 'setVar'],
  ['input', 'getUserInput'],
  ['setFigAni', 'setAnimation'],
  ['setBgAni', 'setAnimation'],
  ['setBgTransform', 'setTransform'],
  ['setFigTransform', 'setTransform'],
  ['setBgFilter', 'setTransform'],
  ['setFigFilter', 'setTransform'],
  ['comment', null],
]);
