import { declare } from './declaration.ts';

export const DIALOGUE_DIAGNOSTICS = {
  'too-many-rows': declare('warning', 'style', {
    zh: '这句话有 {count} 行，文本框只显示 {most} 行，后面的玩家看不到。',
    en: 'This has {count} rows; the text box shows {most}, and the player does not see the rest.',
    hintZh: '分成几句{orRaise}。',
    hintEn: 'Make several lines of it{orRaise}.',
    example: 'A:一|二|三;',
  }),
  'literal-brackets': declare('info', 'style', {
    zh: '方括号不会显示出来：它们是注音和样式的写法 [字](音)。',
    en: 'Square brackets are not shown: they belong to [word](reading).',
    hintZh: '换成「」或【】。',
    hintEn: 'Use other brackets.',
    example: 'A:看[这里];',
  }),
  'markup-speaker': declare('error', 'syntax', {
    zh: '这行没有说话人，样式里的冒号被当成了说话人后面的冒号。',
    en: 'The line has no speaker, so the colon of the style ends a speaker’s name.',
    hintZh: '在行首加一个冒号，或把样式里的冒号写成 ~',
    hintEn: 'Put a colon at the start of the line, or write ~ for the colon of the style.',
    example: '[红](style=color:#f00)字;',
  }),
  'markup-bracket': declare('warning', 'syntax', {
    zh: '样式到第一个 ) 就结束了，所以 {name}(…) 写不进去，后面会多出一个 )。',
    en: 'A style ends at the first ), so {name}(…) does not fit in, and a stray ) is shown.',
    hintZh: '颜色用 #rrggbb 写。',
    hintEn: 'Write colours as #rrggbb.',
    example: 'A:[x](style=color:rgb(1,2,3));',
  }),
  'none-text': declare('warning', 'syntax', {
    zh: '台词正好是 none，而 none 在任何命令里都表示“空”，玩家看到的是空白。',
    en: 'The words are exactly none, which means “empty” to every command: the player sees a blank box.',
    hintZh: '换个写法，例如 None 或 none。加上标点。',
    hintEn: 'Write it differently, such as None or “none.”',
    example: 'A:none;',
  }),
};
