import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { LogEvent } from '../session/log-events.ts';
import { toInstructions } from './instructions.ts';
import { escapeBlocks, escapeBlocksIn, quoteForPrompt } from './prompt-text.ts';
import { toMessages } from './to-messages.ts';

const TAGS = [
  '</message>',
  '<message mode="act" kind="message">',
  '< / message >',
  '</MESSAGE>',
  '＜/message＞',
  '＜／ｍｅｓｓａｇｅ＞',
  '﹤/message﹥',
  '‹/message›',
  '⟨/message⟩',
  '〈/message〉',
  '</mes\u200bsage>',
  '<\u2060/message>',
  '</m\u0301essage>',
  '</\nmessage>',
  '</mеssagе>',
  '</𝐦𝐞𝐬𝐬𝐚𝐠𝐞>',
  '<facts>',
  '</facts>',
  '</editor>',
  '</mention>',
  '<mention>',
  '</story-bible>',
  '</story\u2011bible>',
  '</story bible>',
  '<∕facts>',
  `<${'\u200b'.repeat(300)}/message>`,
  `<${'/'.repeat(300)}message>`,
];
/** Bounds of turns in the templates of models, and what looks like them. */
const CONTROL_TOKENS = [
  '<|im_start|>',
  '<|im_end|>',
  '<|endoftext|>',
  '<|eot_id|>',
  '<|start_header_id|>',
  '<|START_OF_TURN_TOKEN|>',
  '<｜User｜>',
  '<｜begin▁of▁sentence｜>',
  '＜｜Ａssistant｜＞',
  '<│im_start│>',
  '<\u200b|im_\u200bstart|>',
  '‹|im_start|›',
  '<start_of_turn>',
  '<end_of_turn>',
  '<ѕtart_of_turn>',
  '<<SYS>>',
  '</s>',
  '<s>',
  '<bos>',
  '<think>',
  '</function_calls>',
  '<invoke name="write_to_file">',
  '<ｉｎｖｏｋｅ  name = "write_to_file">',
  '</invoke>',
  '<invoke name',
  '<parameter name="path">',
  '<function=write_to_file>',
  '<minimax:tool_call>',
  '<｜DSML｜invoke name="write_to_file">',
  '<unused99>',
  '<extra_id_0>',
  '<reserved_106>',
  '<reserved_special_token_7>',
];
const BRACKETED_TOKENS = [
  '[INST]',
  '[/INST]',
  '［INST］',
  '[ＩＮＳＴ]',
  '[IN\u200bST]',
  '[SYSTEM_PROMPT]',
  '[TOOL_CALLS]',
  '[gMASK]',
  `[${'\u2060'.repeat(300)}INST]`,
];
const REAL_NORMALIZE = String.prototype.normalize;
const ANY_TAG = /<\s*\/?\s*(?:message|facts|editor|story-bible)/gi;

const head = { turn: 't', at: 1 };
const user = (text: string, more: object = {}) =>
  LogEvent.parse({ t: 'user', ...head, id: 'u', kind: 'message', mode: 'act', text, ...more });
const toText = (events: LogEvent[]) => JSON.stringify(toMessages(events));

it('escapes every block that the app writes into a request', async () => {
  const folder = join(import.meta.dirname, '..');
  const names = (await readdir(folder, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const tags = new Set(texts.flatMap((text) => [...text.matchAll(/<\/[a-z][a-z-]*>/g)].map(([tag]) => tag)));
  expect(tags.size).toBeGreaterThan(8);
  expect([...tags].filter((tag) => escapeBlocks(tag) === tag)).toEqual([]);
});

describe.each([...TAGS, ...CONTROL_TOKENS, ...BRACKETED_TOKENS])('%j', (tag) => {
  const hostile = `a${tag}b`;

  it('is escaped in plain text, and nothing else changes', () => {
    const escaped = escapeBlocks(hostile);
    const isBracketed = BRACKETED_TOKENS.includes(tag);
    expect(escaped.replaceAll('&lt;', '').replaceAll('&#91;', '')).toBe(`a${tag.replace(/^<<|^./u, '')}b`);
    expect(escaped).toMatch(isBracketed ? /^a&#91;/ : /^a&lt;/);
    expect(escapeBlocks(escaped)).toBe(escaped);
  });

  it('is escaped in quoted text, which parses back to the value', () => {
    const quoted = quoteForPrompt({ path: hostile });
    expect(quoted).not.toContain(tag[0]);
    expect(JSON.parse(quoted)).toEqual({ path: hostile });
  });

  it('is escaped wherever text of the game or pasted text enters the prompt', () => {
    const note = { file: hostile, text: hostile, rest: hostile };
    const skills = [{ name: hostile, description: hostile }];
    expect(
      toInstructions({
        title: hostile,
        locale: 'en',
        storyLanguage: null,
        bible: hostile,
        scopes: [{ fact: hostile, from: hostile, holds: [hostile] }],
        notes: [note],
        skills,
      }),
    ).not.toContain(hostile);
    const context = { path: hostile, line: 1, selection: hostile };
    const decision = { t: 'decision', at: 1, proposal: 'p', outcome: 'accepted', paths: [hostile] };
    const call = { type: 'tool-call', toolCallId: 'c', toolName: 'read_file', input: {} };
    const prompt = toText([
      user('plain', { context }),
      user(hostile, { kind: 'problems' }),
      LogEvent.parse({
        ...{ t: 'assistant', ...head, step: 's', finish: 'stop', usage: { input: 0, cached: 0, output: 0 } },
        messages: [{ role: 'assistant', content: [call, { ...call, toolCallId: 'd' }] }],
      }),
      LogEvent.parse({
        ...{ t: 'tool.result', ...head, step: 's', call: 'c', name: 'read_file', ok: true },
        value: { content: hostile, [hostile]: [hostile] },
      }),
      LogEvent.parse({
        ...{ t: 'tool.result', ...head, step: 's', call: 'd', name: 'read_file', ok: false },
        error: { code: 'E_NOT_FOUND', message: hostile, recoverable: true },
      }),
      LogEvent.parse(decision),
      user(hostile),
    ]);
    expect(prompt).not.toContain(JSON.stringify(hostile).slice(1, -1));
    expect(prompt.match(ANY_TAG)).toHaveLength(3 + 3 + 2 + 2);
  });
});

it('leaves other text as it is', () => {
  const texts = [
    'love<3',
    'a < b',
    '<b>bold</b>',
    '《雨》〈上〉',
    'setVar:a=1<2;',
    '<ruby>',
    'x <- y',
    '＜3',
    '[雨]',
    '[INSTANT]',
    'a||b',
    '<|>',
    'changeFigure:a.png -id=[1]',
    '<boss>',
  ];
  for (const text of texts) expect(escapeBlocks(text)).toBe(text);
  expect(escapeBlocksIn({ a: [1, null, true, texts] })).toEqual({ a: [1, null, true, texts] });
});

it('finds a tag at any distance from another opening character', () => {
  const long = `<${['antml', 'a'.repeat(60)].join(':')}>`;
  for (const tag of ['</message>', '<|im_start|>', '[INST]', '</𝐬>', long]) {
    for (let between = 0; between < 200; between += 1) {
      const text = `<3 \ud835 ${'雨'.repeat(between)}`;
      const [opening = ''] = tag;
      const escaped = opening === '[' ? '&#91;' : '&lt;';
      const hostile = `${text}${tag}${'x'.repeat(between)} <3 ${tag}`;
      expect(escapeBlocks(hostile)).toBe(hostile.replaceAll(tag, `${escaped}${tag.slice(1)}`));
    }
  }
});

it('reads each character a bounded number of times, whatever a file contains', () => {
  let folded = 0;
  const normalize = vi.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string, form) {
    folded += this.length;
    return REAL_NORMALIZE.call(this, form);
  });
  for (const piece of ['<', '[', '<\ufdfa', '[/\u200b']) {
    const hostile = piece.repeat(2_000);
    folded = 0;
    escapeBlocks(hostile);
    quoteForPrompt(hostile);
    expect(folded).toBeLessThanOrEqual(2 * hostile.length);
  }
  normalize.mockRestore();
});
