import type { CommandKey } from '../../i18n/commands.ts';
import {
  type AssetFolder,
  BLEND_MODES,
  COMPLEX_ANIMATIONS,
  EASES,
  EFFECTS,
  FONT_SIZES,
  INTRO_ANIMATIONS,
} from './command-values.ts';
import { MORE_SIDES, MORE_SIDES_SINCE } from './figure-sides.ts';

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
  /** Key of the documentation. */
  doc: CommandKey;
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
  /** Key of the documentation. */
  doc: CommandKey;
  example: string;
  /** Wrong argument names from documentation or other tools, with the working name (null: there is none). */
  misnamed: ReadonlyMap<string, string | null>;
}

type Extra = Omit<ArgumentSpec, 'name' | 'type' | 'doc'>;
const argument = (name: string, type: ArgumentType, doc: CommandKey, extra: Extra = {}): ArgumentSpec => ({
  name,
  type,
  doc,
  ...extra,
});
const flag = (name: string, doc: CommandKey, extra: Extra = {}) => argument(name, 'flag', doc, extra);
const number = (name: string, doc: CommandKey, extra: Extra = {}) =>
  argument(name, 'number', doc, { minimum: 0, ...extra });
const words = (name: string, doc: CommandKey, extra: Extra = {}) => argument(name, 'text', doc, extra);

const volume = number('volume', 'arguments.volume', { maximum: 100, standard: '100' });
const series = words('series', 'arguments.series', {
  standard: 'default',
});
const order = number('order', 'arguments.order', { since: '4.6.1', standard: '0' });
const ease = argument('ease', 'values', 'arguments.ease', {
  values: EASES,
  standard: 'easeInOut',
});
const target = argument('target', 'target', 'arguments.target');
const transform = argument('transform', 'transform', 'arguments.transform');
const enter = argument('enter', 'animation', 'arguments.enter');
const exit = argument('exit', 'animation', 'arguments.exit');
const enterDuration = number('enterDuration', 'arguments.enterDuration');
const exitDuration = number('exitDuration', 'arguments.exitDuration');
const ignoreDefault = flag('ignoreDefault', 'arguments.ignoreDefault', {
  since: '4.6.1',
});
const writeDefault = flag('writeDefault', 'arguments.writeDefault');
const keep = flag('keep', 'arguments.keep');
const parallel = flag('parallel', 'arguments.parallel', { since: '4.6.0' });
const moving = [target, writeDefault, keep, parallel, ignoreDefault];

/** Arguments of every command. */
const UNIVERSAL_ARGUMENTS: readonly ArgumentSpec[] = [
  flag('next', 'arguments.next'),
  flag('continue', 'arguments.continue'),
  argument('when', 'condition', 'arguments.when'),
];

interface Declaration {
  content: ContentSpec;
  args?: readonly ArgumentSpec[];
  autoNext?: boolean;
  pauses?: boolean;
  bare?: Command['bare'];
  /** Key of the documentation. */
  doc: CommandKey;
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

/** Dialogue: every line whose first word is not a command. Language data: the example is script. */
export const SAY: Command = define('say', {
  content: { kind: 'text' },
  pauses: true,
  doc: 'commands.say.about',
  example: '小雪:你好，|好久不见。 -hello.ogg;',
  args: [
    words('speaker', 'commands.say.arguments.speaker'),
    flag('clear', 'commands.say.arguments.clear'),
    argument('vocal', 'asset', 'commands.say.arguments.vocal', {
      folder: 'vocal',
    }),
    volume,
    flag('concat', 'commands.say.arguments.concat'),
    flag('notend', 'commands.say.arguments.notend'),
    argument('fontSize', 'values', 'commands.say.arguments.fontSize', {
      values: FONT_SIZES,
      standard: 'default',
    }),
    flag('left', 'commands.say.arguments.left'),
    flag('right', 'commands.say.arguments.right'),
    flag('center', 'commands.say.arguments.center'),
    argument('figureId', 'figure', 'commands.say.arguments.figureId'),
    flag('hold', 'commands.say.arguments.hold', { isInert: true }),
    words('animationFlag', 'commands.say.arguments.animationFlag', { isInert: true }),
    words('id', 'commands.say.arguments.id', { isInert: true }),
  ],
});

/** Language data: the examples are script. */
const COMMANDS: readonly Command[] = [
  SAY,
  define('changeBg', {
    content: { kind: 'asset', folder: 'background' },
    bare: 'closes-with-none',
    doc: 'commands.changeBg.about',
    example: 'changeBg:school.webp -next;',
    args: [
      transform,
      enter,
      exit,
      number('duration', 'commands.changeBg.arguments.duration', { standard: '1500' }),
      enterDuration,
      exitDuration,
      ease,
      words('unlockname', 'commands.changeBg.arguments.unlockname'),
      series,
      order,
      ignoreDefault,
    ],
  }),
  define('changeFigure', {
    content: { kind: 'asset', folder: 'figure' },
    bare: 'closes-with-none',
    doc: 'commands.changeFigure.about',
    example: 'changeFigure:yukino.webp -left -next;',
    misnamed: { none: null, clear: null },
    args: [
      flag('left', 'commands.changeFigure.arguments.left'),
      flag('right', 'commands.changeFigure.arguments.right'),
      flag('center', 'commands.changeFigure.arguments.center', { isInert: true }),
      ...MORE_SIDES.map((side) => flag(side, 'commands.changeFigure.arguments.places', { since: MORE_SIDES_SINCE })),
      words('id', 'commands.changeFigure.arguments.id'),
      flag('clear', 'commands.changeFigure.arguments.clear'),
      transform,
      enter,
      exit,
      number('duration', 'commands.changeFigure.arguments.duration', { standard: '300' }),
      enterDuration,
      exitDuration,
      ease,
      number('zIndex', 'commands.changeFigure.arguments.zIndex', { standard: '0' }),
      argument('blendMode', 'values', 'commands.changeFigure.arguments.blendMode', {
        values: BLEND_MODES,
        standard: 'normal',
      }),
      words('motion', 'commands.changeFigure.arguments.motion'),
      words('expression', 'commands.changeFigure.arguments.expression'),
      words('bounds', 'commands.changeFigure.arguments.bounds'),
      argument('blink', 'json', 'commands.changeFigure.arguments.blink'),
      argument('focus', 'json', 'commands.changeFigure.arguments.focus'),
      words('skin', 'commands.changeFigure.arguments.skin', { since: '4.6.0' }),
      ...(['mouthOpen', 'mouthHalfOpen', 'mouthClose', 'eyesOpen', 'eyesClose'] as const).map((name) =>
        argument(name, 'asset', `commands.changeFigure.arguments.${name}`, { folder: 'figure' }),
      ),
      words('animationFlag', 'commands.changeFigure.arguments.animationFlag', { isInert: true }),
      ignoreDefault,
    ],
  }),
  define('bgm', {
    content: { kind: 'asset', folder: 'bgm' },
    autoNext: true,
    bare: 'closes-with-none',
    doc: 'commands.bgm.about',
    example: 'bgm:theme.mp3 -volume=80 -enter=2000;',
    args: [
      volume,
      number('enter', 'commands.bgm.arguments.enter', { standard: '0' }),
      words('unlockname', 'commands.bgm.arguments.unlockname'),
      series,
    ],
  }),
  define('playEffect', {
    content: { kind: 'asset', folder: 'vocal' },
    autoNext: true,
    bare: 'closes-with-none',
    doc: 'commands.playEffect.about',
    example: 'playEffect:door.mp3;',
    args: [volume, words('id', 'commands.playEffect.arguments.id')],
  }),
  define('playVideo', {
    content: { kind: 'asset', folder: 'video' },
    pauses: true,
    doc: 'commands.playVideo.about',
    example: 'playVideo:opening.mp4;',
    args: [flag('skipOff', 'commands.playVideo.arguments.skipOff')],
  }),
  define('pixiPerform', {
    content: { kind: 'values', values: EFFECTS },
    autoNext: true,
    doc: 'commands.pixiPerform.about',
    example: 'pixiPerform:rain;',
  }),
  define('pixiInit', {
    content: { kind: 'nothing' },
    autoNext: true,
    bare: 'fine',
    doc: 'commands.pixiInit.about',
    example: 'pixiInit;',
  }),
  define('intro', {
    content: { kind: 'rows' },
    pauses: true,
    doc: 'commands.intro.about',
    example: 'intro:很久以前|有一座岛 -hold;',
    misnamed: { delay: 'delayTime', useForward: 'userForward' },
    args: [
      argument('fontSize', 'values', 'commands.intro.arguments.fontSize', {
        values: ['small', 'medium', 'large'],
        standard: 'medium',
      }),
      argument('fontColor', 'color', 'commands.intro.arguments.fontColor', {
        standard: 'white',
      }),
      argument('backgroundColor', 'color', 'commands.intro.arguments.backgroundColor', {
        standard: 'black',
      }),
      argument('backgroundImage', 'asset', 'commands.intro.arguments.backgroundImage', { folder: 'background' }),
      argument('animation', 'values', 'commands.intro.arguments.animation', {
        values: INTRO_ANIMATIONS,
        standard: 'fadeIn',
      }),
      number('delayTime', 'commands.intro.arguments.delayTime', { standard: '1500' }),
      flag('hold', 'commands.intro.arguments.hold'),
      flag('userForward', 'commands.intro.arguments.userForward'),
    ],
  }),
  define('miniAvatar', {
    content: { kind: 'asset', folder: 'figure' },
    autoNext: true,
    bare: 'closes-with-none',
    doc: 'commands.miniAvatar.about',
    example: 'miniAvatar:face.webp;',
  }),
  define('changeScene', {
    content: { kind: 'scene', folder: 'scene' },
    doc: 'commands.changeScene.about',
    example: 'changeScene:chapter2.txt;',
  }),
  define('callScene', {
    content: { kind: 'scene', folder: 'scene' },
    doc: 'commands.callScene.about',
    example: 'callScene:flashback.txt;',
  }),
  define('choose', {
    content: { kind: 'choices' },
    pauses: true,
    doc: 'commands.choose.about',
    example: 'choose:留下:stay|离开:chapter2.txt;',
    misnamed: { defaultChoice: 'defaultChoose' },
    args: [number('defaultChoose', 'commands.choose.arguments.defaultChoose', { minimum: 1, since: '4.6.0' })],
  }),
  define('end', {
    content: { kind: 'nothing' },
    bare: 'fine',
    doc: 'commands.end.about',
    example: 'end;',
  }),
  define('setComplexAnimation', {
    content: { kind: 'values', values: COMPLEX_ANIMATIONS },
    doc: 'commands.setComplexAnimation.about',
    example: 'setComplexAnimation:universalSoftIn -target=fig-center;',
    args: [target, number('duration', 'commands.setComplexAnimation.arguments.duration', { standard: '0' })],
  }),
  define('setFilter', {
    content: { kind: 'nothing' },
    bare: 'fine',
    doc: 'commands.setFilter.about',
    example: 'setFilter;',
    args: [target],
  }),
  define('label', {
    content: { kind: 'label' },
    autoNext: true,
    doc: 'commands.label.about',
    example: 'label:morning;',
  }),
  define('jumpLabel', {
    content: { kind: 'jump' },
    doc: 'commands.jumpLabel.about',
    example: 'jumpLabel:morning -when=tired==false;',
  }),
  define('setVar', {
    content: { kind: 'assignment' },
    autoNext: true,
    doc: 'commands.setVar.about',
    example: 'setVar:score=score+1;',
    args: [
      flag('global', 'commands.setVar.arguments.global'),
      flag('local', 'commands.setVar.arguments.local', { since: '4.6.3' }),
    ],
  }),
  define('getUserInput', {
    content: { kind: 'variable' },
    pauses: true,
    doc: 'commands.getUserInput.about',
    example: 'getUserInput:name -title=你的名字 -buttonText=好;',
    args: [
      words('title', 'commands.getUserInput.arguments.title'),
      words('buttonText', 'commands.getUserInput.arguments.buttonText', { standard: 'OK' }),
      words('defaultValue', 'commands.getUserInput.arguments.defaultValue'),
      argument('rule', 'pattern', 'commands.getUserInput.arguments.rule', {
        since: '4.6.0',
      }),
      words('ruleFlag', 'commands.getUserInput.arguments.ruleFlag', { since: '4.6.0' }),
      words('ruleText', 'commands.getUserInput.arguments.ruleText', {
        since: '4.6.0',
      }),
      words('ruleButtonText', 'commands.getUserInput.arguments.ruleButtonText', { since: '4.6.0' }),
    ],
  }),
  define('showVars', {
    content: { kind: 'nothing' },
    pauses: true,
    bare: 'fine',
    doc: 'commands.showVars.about',
    example: 'showVars;',
  }),
  define('unlockCg', {
    content: { kind: 'asset', folder: 'background' },
    autoNext: true,
    doc: 'commands.unlockCg.about',
    example: 'unlockCg:cg1.webp -name=初遇 -series=春;',
    args: [words('name', 'commands.unlockCg.arguments.name'), series, order],
  }),
  define('unlockBgm', {
    content: { kind: 'asset', folder: 'bgm' },
    autoNext: true,
    doc: 'commands.unlockBgm.about',
    example: 'unlockBgm:theme.mp3 -name=主题曲;',
    args: [words('name', 'commands.unlockBgm.arguments.name'), series],
  }),
  define('filmMode', {
    content: { kind: 'switch' },
    autoNext: true,
    doc: 'commands.filmMode.about',
    example: 'filmMode:enable;',
  }),
  define('setTextbox', {
    content: { kind: 'switch' },
    doc: 'commands.setTextbox.about',
    example: 'setTextbox:hide;',
  }),
  define('setAnimation', {
    content: { kind: 'animation' },
    doc: 'commands.setAnimation.about',
    example: 'setAnimation:shake -target=fig-left -next;',
    args: moving,
  }),
  define('setTempAnimation', {
    content: { kind: 'frames' },
    doc: 'commands.setTempAnimation.about',
    example: 'setTempAnimation:[{"alpha":0,"duration":0},{"alpha":1,"duration":500}] -target=fig-left;',
    args: moving,
  }),
  define('setTransform', {
    content: { kind: 'transform' },
    doc: 'commands.setTransform.about',
    example: 'setTransform:{"position":{"x":500}} -target=fig-left -duration=800;',
    args: [...moving, number('duration', 'commands.setTransform.arguments.duration', { standard: '500' }), ease],
  }),
  define('setTransition', {
    content: { kind: 'nothing' },
    autoNext: true,
    bare: 'fine',
    doc: 'commands.setTransition.about',
    example: 'setTransition: -target=bg-main -enter=shockwaveIn;',
    args: [target, enter, exit, ignoreDefault],
  }),
  define('applyStyle', {
    content: { kind: 'styles' },
    autoNext: true,
    doc: 'commands.applyStyle.about',
    example: 'applyStyle:TextBox_main->TextBox_dark;',
  }),
  define('wait', {
    content: { kind: 'milliseconds' },
    pauses: true,
    doc: 'commands.wait.about',
    example: 'wait:1000;',
    args: [flag('nobreak', 'commands.wait.arguments.nobreak', { since: '4.6.0' })],
  }),
  define('callSteam', {
    content: { kind: 'nothing' },
    autoNext: true,
    bare: 'fine',
    doc: 'commands.callSteam.about',
    example: 'callSteam: -achievementId=FIRST_END;',
    args: [words('achievementId', 'commands.callSteam.arguments.achievementId')],
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
  doc: 'commands.engineCommand.about',
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
