import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TextEdit } from '../../model/diagnostic.ts';
import { createProjectIndex } from '../project-index/project-facts.ts';
import { definitionsOf, referencesOf, renameLabel, renameSymbol, symbolAt } from '../project-index/symbols.ts';
import { scanScene } from '../syntax/scan.ts';
import { completionsAt } from './completions.ts';
import { foldScene } from './folding.ts';
import { formatLine, formatScene } from './format.ts';
import { hoverAt, signatureAt } from './hover.ts';
import { hintsOf } from './line-hints.ts';
import { marksOf } from './line-marks.ts';
import { toParserSentence } from './parser-sentence.ts';

const START = 'game/scene/start.txt';

function story(start: string, two = 'end;') {
  const index = createProjectIndex({ engineVersion: '4.6.1' });
  index.setFiles([
    'game/background/sea.png',
    'game/background/notes.txt',
    'game/bgm/a.mp3',
    'game/vocal/v1.wav',
    START,
    'game/scene/two.txt',
  ]);
  index.setAnimationTable('["shake"]');
  index.setScene(START, start);
  index.setScene('game/scene/two.txt', two);
  return index;
}

/** The position of `¦` in a scene, and the scene without it. */
function at(marked: string) {
  const before = marked.slice(0, marked.indexOf('¦')).split('\n');
  return {
    text: marked.replace('¦', ''),
    place: { path: START, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 },
  };
}

describe('completionsAt', () => {
  const offer = (marked: string) => {
    const { text, place } = at(marked);
    return completionsAt(story(text), place, 'en');
  };
  const labels = (marked: string) => offer(marked).map((completion) => completion.label);

  test('offers commands and speakers at the start of a line', () => {
    expect(labels('小雪:你好;\n¦')).toEqual(expect.arrayContaining(['changeBg', 'setVar', '小雪']));
  });

  test.each([
    ['changeBg:¦', ['sea.png', 'none']],
    ['changeScene:t¦', ['start.txt', 'two.txt']],
    ['label:a;\njumpLabel:¦', ['a']],
    ['label:a;\nchoose:去:¦', ['a', 'start.txt', 'two.txt']],
    ['setVar:hp=1;\nA:{¦', ['hp']],
    ['setVar:hp=1;\nA:x -when=h¦', ['hp']],
    ['setAnimation:¦', ['shake']],
    ['pixiPerform:¦', ['rain', 'snow', 'heavySnow', 'cherryBlossoms']],
    [
      'changeFigure:a.png -id=hero;\nsetAnimation:shake -target=¦',
      ['fig-left', 'fig-center', 'fig-right', 'bg-main', 'stage-main', 'hero'],
    ],
    ['A:hi -fontSize=¦', ['small', 'medium', 'large', 'default']],
  ])('completes %s', (marked, expected) => {
    expect(labels(marked)).toEqual(expected);
  });

  test('does not offer a misspelt command as a speaker', () => {
    expect(labels('changebg:sea.png;\n¦')).not.toContain('changebg');
  });

  test('offers arguments that are not given yet, and voice files in dialogue', () => {
    const found = labels('A:hi -concat -¦');
    expect(found).toEqual(expect.arrayContaining(['notend', 'when', 'v1.wav']));
    expect(found).not.toContain('concat');
  });

  test('offers keys of a transform', () => {
    expect(labels('setTransform:{"¦')).toContain('shockwaveFilter');
    expect(labels('setTempAnimation:[{"ease":"¦')).toContain('backInOut');
  });

  test('replaces the typed text', () => {
    expect(offer('changeBg:se¦')[0]).toEqual({
      kind: 'asset',
      label: 'sea.png',
      insert: 'sea.png',
      start: 9,
      end: 11,
      assetPath: 'game/background/sea.png',
    });
  });
});

describe('hoverAt and signatureAt', () => {
  test('describe a command, an argument, an asset and a label', () => {
    const index = story('changeBg:sea.png -duration=3;\nlabel:a;\njumpLabel:a;');
    const hover = (line: number, column: number) => hoverAt(index, { path: START, line, column }, 'en');
    expect(hover(1, 3)?.text).toContain('**changeBg**');
    expect(hover(1, 20)?.text).toContain('-duration');
    expect(hover(1, 11)).toEqual({
      start: 9,
      end: 16,
      text: 'Asset **background/sea.png**\n\nUsed once.',
      assetPath: 'game/background/sea.png',
    });
    expect(hover(3, 11)?.text).toBe('Label **a**\n\nIn line 2. Used 2 times.');
    expect(hover(9, 1)).toBeNull();
  });

  test('describe where a symbol is defined, and escape its name', () => {
    const index = story('changeScene:two.txt;\n[x](http://e.io):hi;\nchangeBg:no.png;\nA:{hp};', 'setVar:hp=1;');
    const hover = (line: number, column: number) =>
      (['en', 'zh-CN'] as const).map((locale) => hoverAt(index, { path: START, line, column }, locale)?.text);
    expect(hover(1, 14)).toEqual(['Scene **two.txt**\n\nUsed once.', '场景 **two.txt**\n\n出现 1 次。']);
    expect(hover(2, 2)[0]).toBe('Character **\\[x\\]\\(http**\n\nUsed once.');
    expect(hover(3, 12)).toEqual([
      'Asset **background/no.png**\n\nThe game has no such file.',
      '素材 **background/no.png**\n\n游戏里没有这个文件。',
    ]);
    expect(hover(4, 4)).toEqual([
      'Variable **hp**\n\nFirst set in line 1 of two.txt. Used 2 times in 2 scenes.',
      '变量 **hp**\n\ntwo.txt 第 1 行首次设置。出现 2 次，在 2 个场景里。',
    ]);
  });

  test('return the active argument', () => {
    const index = story('bgm:a.mp3 -volume=3;');
    const signature = signatureAt(index, { path: START, line: 1, column: 19 }, 'zh-CN');
    expect(signature?.arguments[signature.active]?.label).toBe('-volume');
  });
});

describe('symbols', () => {
  const apply = (text: string, edits: readonly TextEdit[]) => {
    const lines = text.split('\n');
    for (const edit of [...edits].sort((one, other) => other.line - one.line || other.column - one.column)) {
      const line = lines[edit.line - 1] ?? '';
      lines[edit.line - 1] = line.slice(0, edit.column - 1) + edit.newText + line.slice(edit.endColumn - 1);
    }
    return lines.join('\n');
  };
  const rename = (start: string, two: string, place: { line: number; column: number }, name: string) => {
    const index = story(start, two);
    const found = symbolAt(index, { path: START, ...place });
    if (found === null) throw new Error('nothing there');
    const result = renameSymbol(index, found.symbol, name);
    if ('problem' in result) return result.problem;
    return [
      apply(start, result.edits.get(START) ?? []),
      apply(two, result.edits.get('game/scene/two.txt') ?? []),
      result.move,
    ];
  };

  test('rename a label only in its scene', () => {
    expect(rename('label:a;\nchoose:去:a|回:two.txt;\njumpLabel:a;', 'label:a;', { line: 1, column: 7 }, 'b')).toEqual([
      'label:b;\nchoose:去:b|回:two.txt;\njumpLabel:b;',
      'label:a;',
      undefined,
    ]);
  });

  test('rename a variable in all reads and assignments', () => {
    expect(
      rename(
        'setVar:hp=1;\nA:{hp} -when=hp>0;\nsetVar:x=hp;\nsetVar:hp=hp+(hp*2);\nchoose:(hp>1)[hp>2]->a:two.txt;',
        'getUserInput:hp;\nA:hp \\{hp\\};\nA:x -when=name==hp;',
        { line: 2, column: 4 },
        'life',
      ),
    ).toEqual([
      'setVar:life=1;\nA:{life} -when=life>0;\nsetVar:x=life;\nsetVar:life=life+(life*2);\nchoose:(life>1)[life>2]->a:two.txt;',
      'getUserInput:life;\nA:hp \\{hp\\};\nA:x -when=name==life;',
      undefined,
    ]);
  });

  test('rename a speaker before a full-width colon, too', () => {
    expect(rename('小雪:你好;', '小雪：再见。\n他说：小雪。', { line: 1, column: 1 }, '雪乃')).toEqual([
      '雪乃:你好;',
      '雪乃：再见。\n他说：小雪。',
      undefined,
    ]);
  });

  test('rename a speaker and a scene', () => {
    expect(rename('小雪:你好;', '小雪:再见;\n:小雪走了;', { line: 1, column: 1 }, '雪乃')).toEqual([
      '雪乃:你好;',
      '雪乃:再见;\n:小雪走了;',
      undefined,
    ]);
    expect(
      rename('changeScene:two.txt;', 'callScene:two.txt;', { line: 1, column: 14 }, 'game/scene/ch/2.txt'),
    ).toEqual([
      'changeScene:ch/2.txt;',
      'callScene:ch/2.txt;',
      { from: 'game/scene/two.txt', to: 'game/scene/ch/2.txt' },
    ]);
  });

  test.each(['two.TXT', 'Two.txt', 'START.txt'])(
    'refuse a scene name that differs from an existing one only in case: %s',
    (name) => {
      const result = rename('changeScene:two.txt;', 'end;', { line: 1, column: 14 }, `game/scene/${name}`);
      expect(result).toBe('taken');
    },
  );

  test.each([
    ['a', null],
    ['b', 'taken'],
    ['x.y', 'unusable'],
    ['x;y', 'unusable'],
    ['', 'empty'],
  ])('check the new label name %j', (name, problem) => {
    const result = rename('label:a;\nlabel:b;', '', { line: 1, column: 7 }, name);
    expect(typeof result === 'string' ? result : null).toBe(problem);
  });

  test('find definitions and references', () => {
    const index = story('jumpLabel:a;\nlabel:a;\nA:x;\nlabel:a;');
    const found = symbolAt(index, { path: START, line: 1, column: 11 });
    if (found === null) throw new Error('nothing there');
    expect(definitionsOf(index, found.symbol).map((range) => range.line)).toEqual([4]);
    expect(referencesOf(index, found.symbol).map((range) => range.line)).toEqual([1, 2, 4]);
  });
});

describe('renameLabel', () => {
  const rename = (start: string, two: string, name: string) => {
    const index = story(start, two);
    const result = renameLabel(index, { kind: 'label', name: 'a', scene: START }, name);
    return 'problem' in result ? result.problem : [...result.edits].map(([path, edits]) => [path, edits.length]);
  };

  test('renames the label in every scene that has it, except where the new name is in use', () => {
    expect(rename('label:a;\njumpLabel:a;', 'label:a;\nchoose:x:a|y:a;', 'b')).toEqual([
      [START, 2],
      ['game/scene/two.txt', 3],
    ]);
    expect(rename('label:a;', 'label:a;\nlabel:b;', 'b')).toEqual([[START, 1]]);
    expect(rename('label:a;', 'jumpLabel:a;', 'b')).toEqual([[START, 1]]);
    expect(rename('label:a;\nlabel:b;', 'label:a;', 'b')).toBe('taken');
  });
});

describe('definitionsOf', () => {
  const first = (text: string, line: number, column: number, two?: string) => {
    const index = story(text, two);
    const found = symbolAt(index, { path: START, line, column });
    return found && definitionsOf(index, found.symbol).map((range) => `${range.path}:${range.line}`);
  };

  test.each([
    ['returns the file of an asset', 'changeBg:sea.png;', 1, 10, ['game/background/sea.png:1']],
    ['returns nothing for a missing asset', 'changeBg:no.png;', 1, 10, []],
    ['returns the first line of a scene', 'callScene:two.txt;', 1, 12, ['game/scene/two.txt:1']],
    ['returns the first line of a speaker', ':x;\n小雪:好;\n小雪:再见;', 3, 1, [`${START}:2`]],
    ['returns the assignments of a variable', 'setVar:hp=1;\nA:{hp};', 2, 4, [`${START}:1`, 'game/scene/two.txt:1']],
  ])('%s', (_, text, line, column, expected) => {
    expect(first(text, line, column, '小雪:好;\nsetVar:hp=2;'.slice(text.includes('hp') ? 6 : 0))).toEqual(expected);
  });
});

describe('hintsOf and marksOf', () => {
  const text = '小雪:你好世界 -v1.wav;\n小雪:再见;\n:three words here;\nlabel:a;\nA:hi;';
  const all = { first: 1, last: 99 };

  test('count words by line and by section', () => {
    expect(hintsOf(story(text), START, { ...all, words: true, voices: false })).toEqual([
      { line: 1, column: 17, kind: 'words', count: 4 },
      { line: 1, column: 17, kind: 'section', count: 9 },
      { line: 2, column: 7, kind: 'words', count: 2 },
      { line: 3, column: 19, kind: 'words', count: 3 },
      { line: 4, column: 9, kind: 'section', count: 1 },
      { line: 5, column: 6, kind: 'words', count: 1 },
    ]);
  });

  test('mark spoken lines without a voice in the requested range', () => {
    expect(hintsOf(story(text), START, { first: 1, last: 3, words: false, voices: true })).toEqual([
      { line: 2, column: 7, kind: 'voice', count: 0 },
    ]);
    expect(hintsOf(story('A:hi -vocal=v1.wav;'), START, { ...all, words: false, voices: true })).toEqual([]);
    expect(hintsOf(story(text), START, { ...all, words: false, voices: false })).toEqual([]);
  });

  test('mark unreachable lines and inert arguments', () => {
    expect(marksOf(story('A:x -hold;\njumpLabel:b;\nA:never;\nA:nor this;\nlabel:b;\nend;'), START)).toEqual({
      unreachable: [{ first: 3, last: 4 }],
      inert: [{ line: 1, column: 6, endLine: 1, endColumn: 10 }],
    });
    expect(marksOf(story(''), 'game/scene/none.txt')).toEqual({ unreachable: [], inert: [] });
  });
});

describe('formatting', () => {
  test.each([
    ['changeBg: a.png   -next -left ;  note ', 'changeBg:a.png -next -left;  note'],
    ['A:hi', 'A:hi;'],
    [' A:hi', ' A:hi;'],
    ['   ', ''],
    ['; note  ', '; note'],
    ['A:hi -v1.wav  ', 'A:hi -v1.wav  '],
    ['A:hi\\; you', 'A:hi\\; you;'],
    ['end', 'end;'],
    ['旁白   -next', '旁白   -next'],
    ['A:x -a= b -c', 'A:x -a=b -c;'],
    ['A:hi；', 'A:hi；'],
    ['changeBg: a.png  -next； ', 'changeBg:a.png -next；'],
  ])('formats %j', (line, expected) => {
    expect(formatLine(line)).toBe(expected);
  });

  test('keeps a blank that is part of an argument for the engine of the game', () => {
    expect(formatLine('changeBg:a.png -next ;', '4.5.3')).toBe('changeBg:a.png -next ;');
    expect(formatLine('changeBg:a.png  -next;', '4.5.3')).toBe('changeBg:a.png -next;');
    expect(formatLine('changeBg:a.png -next ;', '4.5.18')).toBe('changeBg:a.png -next;');
  });

  test('never changes the meaning of a scene', () => {
    const pieces = [
      'A',
      'changeBg',
      'end',
      ':',
      ';',
      '\\;',
      ' -',
      '-',
      '=',
      ' ',
      '  ',
      'v1.wav',
      'a.png',
      '|',
      '\n',
      '\t',
      'none',
      '好',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 25 }), (parts) => {
        const text = parts.join('');
        const lines = text.split('\n');
        for (const edit of formatScene(text)) lines[edit.line - 1] = edit.newText;
        const read = (scene: string) => scanScene(scene).map((statement) => toParserSentence(statement, '4.6.1'));
        expect(read(lines.join('\n'))).toEqual(read(text));
      }),
      { numRuns: 1500 },
    );
  });

  test('folds labels and consecutive comments', () => {
    const index = story('; a\n; b\nlabel:x;\nA:1;\n\nlabel:y;\nA:2;');
    expect(foldScene(index.scene(START)?.records ?? [])).toEqual([
      { start: 1, end: 2, kind: 'comment' },
      { start: 3, end: 4, kind: 'label' },
      { start: 6, end: 7, kind: 'label' },
    ]);
  });
});
