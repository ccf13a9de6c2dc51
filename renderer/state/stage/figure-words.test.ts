import { afterEach, expect, it, vi } from 'vitest';
import { i18n, setUpI18n } from '../../i18n/setup.ts';
import { toFigureWords, toLookWords } from './figure-words.ts';

const figure = {
  ...{ file: 'game/figure/yuki/model.json', position: 'left', id: 'yuki', expression: 'smile', motion: 'wave' },
  look: {
    moved: { x: -300, y: 20 },
    size: { x: -1.5, y: 1.5 },
    turned: -15,
    opacity: 0.25,
    effects: ['blur' as const],
  },
};

// Files share the instance, whose listener needs a document.
afterEach(() => i18n.off('languageChanged'));

it.each([
  [
    'en',
    'model.json (left, named yuki, expression smile, motion wave, moved left by 300, moved down by 20, 1.5 times its size, mirrored, turned 15° anticlockwise, 75 % see-through, blurred)',
  ],
  // Language data: what the interface says in these languages.
  [
    'zh-CN',
    'model.json（左侧，名为 yuki，表情 smile，动作 wave，左移 300，下移 20，缩放到 1.5 倍，左右翻转，逆时针转 15°，75% 透明，模糊）',
  ],
  [
    'ja',
    'model.json（左、名前 yuki、表情 smile、モーション wave、左に 300 移動、下に 20 移動、1.5 倍、左右反転、反時計回りに 15°、透明度 75%、ぼかし）',
  ],
] as const)('says in %s what a figure is like', async (language, words) => {
  vi.stubGlobal('document', { documentElement: {} });
  await setUpI18n('en');
  expect(toFigureWords(figure, i18n.getFixedT(language, 'stage'))).toBe(words);
});

it('says nothing of what is as it was put, and names the places of newer engines', async () => {
  vi.stubGlobal('document', { documentElement: {} });
  await setUpI18n('en');
  const t = i18n.getFixedT('en', 'stage');
  expect(toLookWords(undefined, t)).toBe('');
  expect(toFigureWords({ file: 'game/figure/a.webp', position: '' }, t)).toBe('a.webp');
  expect(toFigureWords({ file: 'game/figure/a.webp', position: 'left13' }, t)).toBe('a.webp (left13)');
  const parts = toLookWords({ size: { x: 1, y: -1 }, opacity: 0, effects: [] }, t);
  expect(parts).toBe('upside down, invisible');
  expect(toLookWords({ size: { x: 2, y: 1 }, turned: 3 }, t)).toBe(
    '2 times as wide and 1 times as high, turned 3° clockwise',
  );
});
