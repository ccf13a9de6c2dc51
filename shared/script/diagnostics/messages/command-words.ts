import { declare } from './declaration.ts';

export const COMMAND_WORD_DIAGNOSTICS = {
  'unknown-command': declare('error', 'syntax', {
    zh: '没有 {word} 这个命令，引擎会把这一行当成台词：名叫“{word}”的人说“{content}”。{suggestion}',
    en: 'There is no command {word}. The engine takes this line for dialogue: someone called “{word}” says “{content}”.{suggestion}',
    hintZh: '检查命令的拼写；如果确实是人名，可以忽略。',
    hintEn: 'Check the spelling of the command; if it really is a name, ignore this.',
    example: 'changBg:bg.webp -next;',
  }),
  'command-version': declare('error', 'syntax', {
    zh: '这个游戏的引擎（{version}）没有 {command} 这个命令，会把这一行当成台词显示出来。',
    en: 'The engine of this game ({version}) has no command {command} and shows this line as dialogue.',
    hintZh: '换成新的引擎，或者改用这个引擎有的命令。',
    hintEn: 'Use a newer engine, or a command that this one has.',
    example: 'wait:500;',
  }),
  'command-spacing': declare('error', 'syntax', {
    zh: '命令 {word} 旁边有空格，引擎会把它当成说话人的名字，这一行变成台词。',
    en: 'There is a space next to the command {word}, so the engine takes it for a name and the line for dialogue.',
    hintZh: '删掉命令前后的空格。',
    hintEn: 'Remove the spaces around the command.',
    example: ' changeBg:bg.webp;',
  }),
  'command-case': declare('error', 'syntax', {
    zh: '命令区分大小写：{word} 会被当成说话人的名字。应写成 {command}。',
    en: 'Capital letters matter in commands: {word} is taken for a name. Write {command}.',
    hintZh: '改成 {command}。',
    hintEn: 'Write {command}.',
    example: 'changebg:bg.webp;',
  }),
  'missing-colon': declare('error', 'syntax', {
    zh: '{command} 后面没有冒号，引擎会把整行当成台词显示出来。',
    en: 'There is no colon after {command}, so the engine shows the whole line as dialogue.',
    hintZh: '在 {command} 后面加上英文冒号。',
    hintEn: 'Put a colon after {command}.',
    example: 'end -when=a>1;',
  }),
  'missing-content': declare('error', 'syntax', {
    zh: '{command} 没有写内容：{effect}',
    en: '{command} is given nothing: {effect}',
    hintZh: '写成 {command}:内容。',
    hintEn: 'Write {command}: and what is meant.',
    example: 'bgm;',
  }),
  'film-mode-word': declare('warning', 'syntax', {
    zh: '这样写会打开电影模式：除了 none，任何内容都是打开。',
    en: 'This turns film mode on: anything but none does.',
    hintZh: '打开写 filmMode:on，关闭写 filmMode:none。',
    hintEn: 'Write filmMode:on to turn it on, filmMode:none to turn it off.',
    example: 'filmMode;',
  }),
  'continuation-line': declare('error', 'syntax', {
    zh: '一句写成了几行：{effect}',
    en: 'A statement written over several lines: {effect}',
    hintZh: '想让旧引擎也能读，就接到上一行的末尾（分号之前）。',
    hintEn: 'For engines that do not read it, move it to the end of the line above, before the semicolon.',
    example: '  -next',
  }),
};
