import { expect, it } from 'vitest';
import { toParsedTexts } from './link-definitions.ts';
import { createBlockSplitter } from './split-blocks.ts';

/** Pads each block so that the splitter does not join it with the next. */
const parsed = (...blocks: string[]) => {
  const long = (text: string) => `${text}${' word'.repeat(130)}\n\n`;
  return toParsedTexts(createBlockSplitter()(blocks.map(long).join(''))).map((text) =>
    text.replaceAll(/(?: word)+/g, ''),
  );
};

it('adds the referenced definitions from any other block', () => {
  const text = ['See [the guide][Guide] and a note[^1].', 'plain', '[guide]: https://a.b', '[^1]: A note'];
  expect(parsed(...text)).toEqual([
    'See [the guide][Guide] and a note[^1].\n\n\n\n[guide]: https://a.b\n\n[^1]: A note',
    'plain\n\n',
    '[guide]: https://a.b\n\n',
    '[^1]: A note\n\n',
  ]);
});

it('does not change a block without references or with its own definitions', () => {
  const text = ['[a]: https://a.b', '[x] y', '[a] [a]\n\n[a]: https://own'];
  expect(parsed(...text)).toEqual(text.map((each) => `${each}\n\n`));
});
