import { declare } from './declaration.ts';

export const CHOOSE_DIAGNOSTICS = {
  'choose-no-target': declare('info', 'syntax', {
    zh: '选项“{text}”{more}还没有选择去处：点了它，菜单关掉，故事接着往下走。',
    en: 'No target chosen yet for the option “{text}”{more}: clicking it closes the menu and the story goes on with the next line.',
    hintZh: '如果想让它去别的地方，在后面写上冒号和去处：文字:标签 或 文字:场景.txt。',
    hintEn: 'To lead somewhere else, put a colon and a target after its words: words:label or words:scene.txt.',
    example: 'choose:甲|乙:x;',
  }),
  'choose-scene-extension': declare('error', 'resource', {
    zh: '去处 {target} 没有写 .txt，引擎把它当成本场景的标签，而这个标签不存在。',
    en: 'The place {target} has no .txt, so the engine takes it for a label of this scene, and there is none.',
    hintZh: '改成 {target}.txt。',
    hintEn: 'Write {target}.txt.',
    example: 'choose:A:chapter2;',
  }),
  'choose-or': declare('error', 'syntax', {
    zh: '选项的条件里不能用 ||：竖线会把选项拆成几个。',
    en: 'A condition of an option cannot use ||: the bars tear the option apart.',
    hintZh: '先用 setVar 算好，或写成 !(!(甲)&&!(乙))。',
    hintEn: 'Work it out with setVar first, or write !(!(a)&&!(b)).',
    example: 'choose:(a>0||b>9)->甲:x|乙:y;',
  }),
  'choose-arrow-space': declare('error', 'syntax', {
    zh: '箭头 -> 前面有空格，引擎会在这里截断：按钮上显示的是条件本身。',
    en: 'There is a space before the arrow ->, and the engine cuts there: the button shows the condition.',
    hintZh: '删掉箭头前的空格。',
    hintEn: 'Remove the space before the arrow.',
    example: 'choose:(a>0) ->甲:x;',
  }),
  'choose-colon-space': declare('error', 'syntax', {
    zh: '冒号后面有空格，引擎会去找名字带空格的“{target}”，找不到。',
    en: 'There is a space after the colon: the engine looks for “{target}” with a space in its name and does not find it.',
    hintZh: '删掉冒号后的空格。',
    hintEn: 'Remove the space after the colon.',
    example: 'choose:A: x.txt;',
  }),
  'choose-extra-colon': declare('error', 'syntax', {
    zh: '选项里有不止一个冒号：去处成了“{target}”，后面的“{lost}”被丢掉。',
    en: 'The option has more than one colon: it leads to “{target}”, and “{lost}” is dropped.',
    hintZh: '文字里的冒号写成 \\:',
    hintEn: 'Write \\: for a colon inside the words.',
    example: 'choose:A:12:30:x;',
  }),
  'choose-dash': declare('error', 'syntax', {
    zh: '空格加连字符会开始一个参数：从“{lost}”起都不再是选项。',
    en: 'A space followed by a hyphen starts an argument: from “{lost}” on nothing belongs to the options.',
    hintZh: '删掉连字符前的空格。',
    hintEn: 'Remove the space before the hyphen.',
    example: 'choose:A - B:x;',
  }),
  'choose-may-be-empty': declare('warning', 'syntax', {
    zh: '每个选项都有显示条件：都不成立时菜单是空的，玩家会卡住。',
    en: 'Every option has a condition to be shown: when none holds the menu is empty and the player is stuck.',
    hintZh: '留一个没有条件的选项。',
    hintEn: 'Leave one option without a condition.',
    example: 'choose:(a>0)->甲:x|(b>0)->乙:y;',
  }),
};
