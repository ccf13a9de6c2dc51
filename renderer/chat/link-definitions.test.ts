import { expect, it } from 'vitest';
import { toParsedTexts } from './link-definitions.ts';
import { createBlockSplitter } from './split-blocks.ts';

const parsed = (text: string) => toParsedTexts(createBlockSplitter()(text));

it('gives a block the definitions it refers to, wherever they stand', () => {
  expect(parsed('See [the guide][Guide] and a note[^1].\n\nplain\n\n[guide]: https://a.b\n\n[^1]: A note\n')).toEqual([
    'See [the guide][Guide] and a note[^1].\n\n\n\n[guide]: https://a.b\n\n[^1]: A note',
    'plain\n\n',
    '[guide]: https://a.b\n\n',
    '[^1]: A note\n',
  ]);
});

it('leaves a block alone that refers to nothing, defines it itself, or is code', () => {
  const text = '[a]: https://a.b\n\n[x] y\n\n```\n[a]\n```\n\n[a] [a]\n[a]: https://own\n';
  expect(parsed(text)).toEqual([
    '[a]: https://a.b\n\n',
    '[x] y\n\n',
    '```\n[a]\n```\n\n',
    '[a] [a]\n[a]: https://own\n',
  ]);
});
