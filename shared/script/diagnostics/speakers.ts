import type { LineReport } from '../line-report.ts';
import type { Statement } from '../scan.ts';
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

/** Punctuation of a sentence rather than a name, in ASCII and full width. */
const SENTENCE = new Set([...'，。！？、；,!?"“”「」'].map((sign) => sign.charCodeAt(0)));
const MAX_NAME_LENGTH = 20;

/** True for an ordinary name, whatever follows. */
export function isPlainName(word: string): boolean {
  return (
    word.length <= MAX_NAME_LENGTH &&
    !word.startsWith('http') &&
    !readsLikeSentence(word, word.length) &&
    !/\d$/.test(word) &&
    !SPEECH_VERB.test(word)
  );
}

/** Ends like the introduction of a quotation. */
const SPEECH_VERB = /(?:.[说道问答喊曰]|\s(?:say|said|ask|asked|reply|replied|shout|shouted|whisper|whispered)s?)$/;
const QUOTE = /^\s*["“”「『‘']/;

/** Placeholder name of an unknown speaker, such as ???. */
const UNKNOWN = /^[?？!！]+$/;

function readsLikeSentence(text: string, end: number): boolean {
  if (UNKNOWN.test(text.slice(0, Math.min(end, MAX_NAME_LENGTH)))) return false;
  for (let index = 0; index < end; index += 1) if (SENTENCE.has(text.charCodeAt(index))) return true;
  return false;
}

/** Checks a speaker's name that reads like a sentence. Whether it is used more than once depends on the project. */
export function checkSpeakerShape(statement: Statement, report: LineReport): void {
  const { colon, text } = statement;
  const isAddress = colon <= 5 && text.startsWith('http') && text.startsWith('//', colon + 1);
  const word = text.slice(0, Math.min(colon, 500));
  const isQuoted = SPEECH_VERB.test(word) && QUOTE.test(text.slice(colon + 1, colon + 20));
  // A time of day.
  const isTime = /(?:^|\D)[012]?\d$/.test(word) && /^[0-5]\d(?!\d)/.test(text.slice(colon + 1, colon + 4));
  if (colon <= MAX_NAME_LENGTH && !isAddress && !isQuoted && !isTime && !readsLikeSentence(text, colon)) return;
  if (!word.includes('{')) report.refer('odd-speaker', text.slice(0, colon), 0, colon);
}
