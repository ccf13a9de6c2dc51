import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stopsPlayer, toStoryLines } from './story-beats.ts';

const contentOf = (line: string) => toStoryLines(line)[0]?.content ?? null;

describe('toStoryLines', () => {
  it('returns the speaker, also for lines that omit the name', () => {
    const lines = toStoryLines('雪乃:海风真舒服。;\n接着说。;\n:潮声漫上来。;\n\nsay:还是旁白 -speaker=我;');
    expect(lines.map((line) => line && [line.line, line.content])).toEqual([
      [1, { kind: 'say', speaker: '雪乃', text: '海风真舒服。', hasVoice: false }],
      [2, { kind: 'say', speaker: '雪乃', text: '接着说。', hasVoice: false }],
      [3, { kind: 'say', speaker: '', text: '潮声漫上来。', hasVoice: false }],
      null,
      [5, { kind: 'say', speaker: '我', text: '还是旁白', hasVoice: false }],
    ]);
  });

  it.each([
    ['changeBg:rain/night.webp -next;', 'background', { file: 'rain/night' }],
    ['changeBg:none;', 'backgroundOff', {}],
    ['changeFigure:yukino_sad.webp -left -next;', 'figure.left', { file: 'yukino_sad' }],
    ['changeFigure:a.png -id=b;', 'figure.free', { file: 'a' }],
    ['changeFigure:none -right;', 'figureOff.right', {}],
    ['bgm:none -enter=1500;', 'musicOff', {}],
    ['setVar:好感=1;', 'variable', { expression: '好感 = 1' }],
    ['wait:1500;', 'wait', { seconds: '1.5' }],
    ['wait:soon;', 'wait', { seconds: '0' }],
    ['setTransform:{"alpha":0} -target=fig-left;', 'other', { statement: 'setTransform:{"alpha":0} -target=fig-left' }],
  ])('converts %s to a stage direction', (line, what, values) => {
    const content = contentOf(line);
    expect(content?.kind === 'stage' && content.directions.map((entry) => [entry.what, entry.values])).toEqual([
      [what, values],
    ]);
  });

  it.each([
    ['changeBg:rain/night.webp;', 'game/background/rain/night.webp'],
    ['changeFigure:a.png -left;', 'game/figure/a.png'],
    ['changeBg:none;', null],
    ['changeBg:loop.mp4;', null],
    ['changeBg:https://example.org/a.png;', null],
    ['bgm:a.png;', null],
  ])('returns the image of %s', (line, picture) => {
    const content = contentOf(line);
    expect(content?.kind === 'stage' && content.directions[0]?.picture).toBe(picture);
  });

  it('returns targets and conditions of choices', () => {
    expect(contentOf('choose:追上去:rain_night.txt|(a>1)->留在原地:stay|回家;')).toEqual({
      kind: 'choice',
      choices: [
        { label: '追上去', target: 'rain_night', isScene: true, condition: null },
        { label: '留在原地', target: 'stay', isScene: false, condition: 'a>1' },
        { label: '回家', target: '', isScene: false, condition: null },
      ],
    });
  });

  it('converts text as the engine shows it', () => {
    expect(contentOf('A:第一行|第二行，[花](はな)，价\\;100 -v1.ogg;')).toEqual({
      kind: 'say',
      speaker: 'A',
      text: '第一行\n第二行，花，价;100',
      hasVoice: true,
    });
    expect(contentOf('intro:雨夜|三天后;')).toEqual({ kind: 'caption', lines: ['雨夜', '三天后'] });
  });

  it('returns flow, conditions and notes', () => {
    const lines = toStoryLines('changeScene:b.txt -when=a>1;\nlabel:x;\njumpLabel:x;\nend;\n; 第二章');
    expect(lines.map((line) => line && [line.content, line.condition])).toEqual([
      [{ kind: 'flow', flow: 'scene', target: 'b' }, 'a>1'],
      [{ kind: 'flow', flow: 'label', target: 'x' }, null],
      [{ kind: 'flow', flow: 'jump', target: 'x' }, null],
      [{ kind: 'flow', flow: 'end', target: '' }, null],
      [{ kind: 'comment', text: '第二章' }, null],
    ]);
  });

  it('returns one entry per line for any text', () => {
    const piece = fc.oneof(
      fc.constantFrom('choose:', '|', ':', ' -', 'when=', ';', '\n', '\\', '->', '('),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('').replaceAll('\r', '');
        expect(toStoryLines(text)).toHaveLength(text.split('\n').length);
      }),
    );
  });
});

describe('stopsPlayer', () => {
  it.each([
    ['A:hi;', true],
    ['choose:a:b;', true],
    ['bgm:x.mp3;', false],
    ['; note', false],
    ['', false],
  ])('%j: %s', (line, stops) => {
    expect(stopsPlayer(line)).toBe(stops);
  });
});
