import { declare } from './declaration.ts';

export const PUNCTUATION_DIAGNOSTICS = {
  'missing-semicolon': declare('info', 'syntax', {
    zh: '这一句末尾没有英文分号。游戏照常运行；加上分号，以后在后面写的备注就不会显示给玩家。',
    en: 'There is no semicolon at the end. The game runs all the same; with one, a note written after it later is not shown to the player.',
    hintZh: '在行尾加上 ;',
    hintEn: 'Put ; at the end of the line.',
    example: '雪乃:你好',
  }),
  'fullwidth-punctuation': declare('warning', 'syntax', {
    zh: '这里用了中文标点“{mark}”，引擎只认英文的“{plain}”：{effect}',
    en: 'This is the full-width “{mark}”; the engine knows only the plain “{plain}”: {effect}',
    hintZh: '换成英文标点 {plain}。',
    hintEn: 'Use the plain {plain}.',
    example: '角色：你好；',
  }),
  'slash-comment': declare('warning', 'syntax', {
    zh: '{mark} 不是注释，玩家会看到它后面的字。注释要写在英文分号后面。',
    en: '{mark} does not start a comment: the player sees what follows. A comment goes after a semicolon.',
    hintZh: '在 {mark} 前面加一个英文分号。',
    hintEn: 'Put a semicolon before {mark}.',
    example: 'A:你好 // 之后再改',
  }),
  'statement-after-semicolon': declare('warning', 'syntax', {
    zh: '分号后面的“{text}”不会执行：一行只有一句，分号之后都是注释。',
    en: '“{text}” after the semicolon is not run: a line holds one statement, the rest is a comment.',
    hintZh: '另起一行。',
    hintEn: 'Put it on a line of its own.',
    example: 'A:one; B:two;',
  }),
  'unescaped-semicolon': declare('warning', 'syntax', {
    zh: '这个分号把句子截断了，后面的字不会显示。文字里的分号要写成 \\;',
    en: 'This semicolon ends the statement, and what follows is not shown. Inside the text write \\;',
    hintZh: '写成 \\;',
    hintEn: 'Write \\;',
    example: 'A:[字](style=color:red;font-size:2em)',
  }),
  'dash-in-text': declare('error', 'syntax', {
    zh: '空格加连字符会开始一个参数，所以玩家只看得到“{shown}”，后面的“{lost}”不见了。',
    en: 'A space followed by a hyphen starts an argument, so the player sees only “{shown}”; “{lost}” is gone.',
    hintZh: '删掉连字符前的空格，或换成破折号（——）。',
    hintEn: 'Remove the space before the hyphen, or use a dash (—).',
    example: 'A:他说 -我不去',
  }),
};
