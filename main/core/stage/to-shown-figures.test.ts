import { expect, it } from 'vitest';
import { toShownFigures } from './to-shown-figures.ts';

/** As 4.5.18 keeps it for something that was never changed. */
const USUAL = {
  ...{ alpha: 1, scale: { x: 1, y: 1 }, position: { x: 0, y: 0 }, rotation: 0, blur: 0, brightness: 1, contrast: 1 },
  ...{
    saturation: 1,
    gamma: 1,
    colorRed: 255,
    colorGreen: 255,
    colorBlue: 255,
    bevel: 0,
    bevelThickness: 0,
    bevelRed: 255,
  },
  ...{ bloom: 0, bloomBrightness: 1, bloomBlur: 0, bloomThreshold: 0, shockwaveFilter: 0, radiusAlphaFilter: 0 },
};

it('names expression and motion of a model, by its place or its id, and of no picture', () => {
  const { figures } = toShownFigures({
    ...{ figName: './game/figure/yuki/model.json', figNameLeft: './game/figure/aki.webp?v=1' },
    freeFigure: [{ key: 'cat', name: './game/figure/cat.json', basePosition: 'right' }],
    live2dMotion: [{ target: 'fig-center', motion: 'wave' }, { target: 'fig-left', motion: 'wave' }, 7],
    live2dExpression: [
      { target: 'cat', expression: 'angry' },
      { target: 'fig-center', expression: '' },
      { target: 'fig-left', expression: 'smile' },
    ],
  });
  expect(figures).toEqual([
    { file: 'game/figure/aki.webp?v=1', position: 'left' },
    { file: 'game/figure/yuki/model.json', position: 'center', motion: 'wave' },
    { file: 'game/figure/cat.json', position: 'right', id: 'cat', expression: 'angry' },
  ]);
});

it('names what differs from the usual, of figures, background and picture', () => {
  const look = (transform: object) => {
    const { figures } = toShownFigures({
      figName: './game/figure/yuki.webp',
      effects: [{ target: 'fig-center', transform }],
    });
    return figures[0]?.look;
  };
  expect(look(USUAL)).toBeUndefined();
  expect(look({ ...USUAL, position: { x: -300.004, y: 0 }, alpha: 0.5 })).toEqual({
    moved: { x: -300, y: 0 },
    opacity: 0.5,
  });
  expect(look({ scale: { x: -1, y: 1.5 }, rotation: Math.PI / 2 })).toEqual({ size: { x: -1, y: 1.5 }, turned: 90 });
  expect(look({ ...USUAL, colorRed: 0, bloom: 1, bloomBlur: 3, oldFilm: 1, blur: 2 })).toEqual({
    effects: ['color', 'blur', 'bloom', 'oldFilm'],
  });
  expect(look({ ...USUAL, bloomBrightness: 2, bevelRed: 3 })).toBeUndefined();
  const { looks } = toShownFigures({
    effects: [
      { target: 'bg-main', transform: { ...USUAL, position: { x: 5 } } },
      { target: 'stage-main', transform: { alpha: 0 } },
      { target: 'unknown', transform: { alpha: 0 } },
    ],
  });
  expect(looks).toEqual({ background: { moved: { x: 5, y: 0 } }, stage: { opacity: 0 } });
  expect(toShownFigures({ effects: [{ target: 'bg-main', transform: USUAL }] })).toEqual({ figures: [] });
});

it('takes nothing from a state of another shape', () => {
  const state = {
    figName: './game/figure/yuki.json',
    live2dMotion: { target: 'fig-center', motion: 'wave' },
    live2dExpression: [{ target: 'fig-center', expression: ['x'] }, null],
    effects: [
      {
        target: 'fig-center',
        transform: { position: [1], scale: 'x', alpha: Number.NaN, rotation: 1e300, blur: '3', bloom: null },
      },
    ],
  };
  expect(toShownFigures(state).figures).toEqual([{ file: 'game/figure/yuki.json', position: 'center' }]);
  const long = {
    figName: './game/figure/yuki.json',
    live2dExpression: [{ target: 'fig-center', expression: 'x'.repeat(9999) }],
  };
  expect(toShownFigures(long).figures[0]?.expression?.length).toBe(200);
});
