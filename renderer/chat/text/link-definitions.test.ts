import { expect, it } from 'vitest';
import { toParsedTexts } from './link-definitions.ts';
import { createBlockSplitter } from './split-blocks.ts';

/** Each block is long enough to stand on its own. */
const parsed = (...blocks: string[]) => {
  const long = (text: string) => `${text}${' word'.repeat(130)}\n\n`;
  return toParsedTexts(createBlockSplitter()(blocks.map(long).join(''))).map((text) =>
    text.replaceAll(/(?: word)+/g, ''),
  );
};

it('gives a block the definitions it refers to, wherever they stand', () => {
  const text = ['See [the guide][Guide] and a note[^1].', 'plain', '[guide]: https://a.b', '[^1]: A note'];
  expect(parsed(...text)).toEqual([
    'See [the guide][Guide] and a note[^1].\n\n\n\n[guide]: https://a.b\n\n[^1]: A note',
    'plain\n\n',
    '[guide]: https://a.b\n\n',
    '[^1]: A note\n\n',
  ]);
});

it('leaves a block alone that refers to nothing or defines it itself', () => {
  const text = ['[a]: https://a.b', '[x] y', '[a] [a]\n\n[a]: https://own'];
  expect(parsed(...text)).toEqual(text.map((each) => `${each}\n\n`));
});
