import { expect, test } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { LOCALES, LocalText, toLocalText } from '../../../shared/model/local-text.ts';
import { toServiceAddress } from '../../network/allowed-addresses.ts';
import { readServers } from './read-servers.ts';

const toBlock = (entry: unknown): string => JSON.stringify({ mcpServers: { pictures: entry } });

/** Returns why a text is refused, as a whole or as a server of it. */
function findWhy(text: string): LocalText {
  try {
    return LocalText.parse(readServers(text, toServiceAddress).refused[0]?.why);
  } catch (error) {
    if (error instanceof AppError) return LocalText.parse(error.details?.why);
    throw error;
  }
}

test.each([
  ['', /empty/],
  ['{', /JSON/],
  ['{"mcpServers":1}', /"mcpServers"/],
  ['{"mcpServers":{}}', /names none/],
  ['npx a\nnpx b', /one line/],
  [toBlock({ command: 'npx', url: 'https://a.example' }), /either/],
  [toBlock({ command: 'npx', env: { LD_PRELOAD: 'x' } }), /LD_PRELOAD/],
  [toBlock({ url: 'http://a.example' }), /only https/],
  [toBlock({ url: 'https://me:secret@a.example' }), /password/],
  [toBlock({ url: 'nowhere' }), /web address/],
  ['{"mcpServers":{"WebGAL Agent":{"command":"npx"}}}', /app’s own/],
  ['ftp://a.example/x', /only https/],
  ['javascript:alert(1)', /only https/],
])('%j is refused with a reason in every language', (text, english) => {
  const why = findWhy(text);
  expect(why.en).toMatch(english);
  // Three sentences, not one in English three times.
  expect(new Set(LOCALES.map((locale) => toLocalText(why, locale))).size).toBe(LOCALES.length);
  expect(Object.values(why).join()).not.toContain('{');
});

test('a name in another script is kept as it is, with an id that is free for any such name', () => {
  const { servers, refused } = readServers(
    JSON.stringify({
      mcpServers: { 我的翻译: { command: 'npx' }, 'ほんやく 2': { command: 'npx' }, '!!': { command: 'npx' } },
    }),
    toServiceAddress,
  );
  expect(servers.map(({ server: { id, name } }) => [id, name])).toEqual([
    ['service', '我的翻译'],
    ['s-2', 'ほんやく 2'],
  ]);
  expect(refused.map(({ name, why }) => [name, why.en])).toEqual([['!!', 'its name has no letters from a to z']]);
});
