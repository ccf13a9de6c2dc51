import { declare } from './declaration.ts';

export const SPEAKER_DIAGNOSTICS = {
  'odd-speaker': declare('info', 'style', {
    zh: '第一个冒号前的“{name}”会成为说话人的名字。',
    en: '“{name}” before the first colon becomes the speaker’s name.',
    hintZh: '如果它是台词的一部分，在行首加一个冒号。',
    hintEn: 'If it is part of what is said, put a colon at the start of the line.',
    example: '他低声说，不要: 走吧;',
  }),
  'rare-speaker': declare('info', 'style', {
    zh: '“{name}”只出现过一次，和“{near}”很像，是不是同一个人？',
    en: '“{name}” speaks only once and looks much like “{near}”: the same person?',
    hintZh: '统一成 {near}。',
    hintEn: 'Write {near}.',
    example: 'WebGAl:你好;',
  }),
  'first-speaker': declare('info', 'style', {
    zh: '这是场景的第一句，没有写是谁说的：名字框里会留着上一个场景最后说话的人。',
    en: 'This first line of the scene does not say who speaks: the name box keeps the last speaker of the scene before.',
    hintZh: '有人说话就在前面写上名字和冒号；是旁白就只写一个冒号。',
    hintEn: 'Put the name and a colon before it; for narration a colon alone.',
    example: '你好;',
  }),
};
