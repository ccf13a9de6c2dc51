import { describe, expect, it } from 'vitest';
import { scanScene } from '../syntax/scan.ts';
import { toStageText } from './stage-text.ts';
import { findStoryWay, type WayScene } from './story-way.ts';

const scene = (path: string, lines: string[], line: number, more: Partial<WayScene> = {}): WayScene => ({
  ...{ path, statements: scanScene(lines.join('\n')), target: line - 1, picks: new Map() },
  ...more,
});
/** What is sent to the engine for a line of one scene. */
const show = (lines: string[], line: number) =>
  toStageText(lines.join('\n'), line, findStoryWay([scene('a', lines, line)])).text.split('\n');

const GATE = ['setVar:love=1;', 'jumpLabel:warm -when=love>2;', 'A:cold;', 'end;', 'label:warm;', 'A:warm;'];

describe('findStoryWay', () => {
  it('sets what a conditional jump on the way needs, at the place of the jump', () => {
    expect(findStoryWay([scene('a', GATE, 6)])).toMatchObject({
      assumptions: [{ name: 'love', value: 3, path: 'a', line: 2 }],
      failure: null,
    });
    expect(show(GATE, 6)).toEqual(['setVar:love=1;', 'setVar:love=3;', 'A:warm;']);
    expect(show(GATE, 3)).toEqual(['setVar:love=1;', 'A:cold;', 'end;', 'label:warm;', 'A:warm;']);
  });

  it('sets what keeps the story from jumping away', () => {
    const lines = ['setVar:love=5;', ...GATE.slice(1)];
    expect(findStoryWay([scene('a', lines, 3)]).assumptions).toEqual([{ name: 'love', value: 2, path: 'a', line: 2 }]);
  });

  it('sets what an option and the line itself need', () => {
    const lines = [
      'choose:(key)[love>1]->Open:open|Leave:out;',
      'label:open;',
      'A:in -when=mood=="glad";',
      'label:out;',
    ];
    expect(findStoryWay([scene('a', lines, 3)]).assumptions).toEqual([
      { name: 'key', value: true, path: 'a', line: 1 },
      { name: 'love', value: 2, path: 'a', line: 1 },
      { name: 'mood', value: 'glad', path: 'a', line: 3 },
    ]);
    expect(show(lines, 3).slice(0, 4)).toEqual([
      'setVar:key=true;',
      'setVar:love=2;',
      'setVar:mood=glad;',
      'A:in -when=mood=="glad";',
    ]);
  });

  it('takes the option for which nothing has to be set, unless the user chose another', () => {
    const lines = ['choose:Cold:cold|Kind:kind;', 'label:kind;', 'setVar:love=3;', 'label:cold;', ...GATE.slice(1)];
    const way = findStoryWay([scene('a', lines, 9)]);
    expect(way.assumptions).toEqual([]);
    expect(way.forks).toMatchObject([{ at: 0, taken: 1, path: 'a' }]);
    const chosen = findStoryWay([scene('a', lines, 9, { picks: new Map([[0, 0]]) })]);
    expect(chosen.forks).toMatchObject([{ taken: 0 }]);
    expect(chosen.assumptions).toEqual([{ name: 'love', value: 3, path: 'a', line: 5 }]);
  });

  it('comes through earlier scenes with what they leave, and counts their values', () => {
    const first = ['changeBg:room.png;', 'setVar:love=3;', 'A:hi;', 'choose:On:two.txt|Off:off.txt;'];
    const way = findStoryWay([scene('start', first, 4, { option: 0 }), scene('two', GATE.slice(1), 5)]);
    expect(way.assumptions).toEqual([]);
    const stage = toStageText(GATE.slice(1).join('\n'), 5, way);
    expect(stage.text).toBe('changeBg:room.png -next -duration=1;\nsetVar:love=3;\nA:warm;');
    expect([0, 1, 2, 3].map(stage.toLine)).toEqual([0, 0, 4, 5]);
    expect(stage.engineLine).toBe(3);
    // Before the first line, what the scenes before left is there, too.
    expect(
      toStageText('changeScene:x.txt;', 0, findStoryWay([scene('start', first, 4), scene('two', ['end;'], 1)])),
    ).toMatchObject({
      // The last line is still in the text box.
      engineLine: 3,
    });
  });

  it('tells of a choice in an earlier scene where a condition decided it', () => {
    const first = [
      'choose:Cold:cold|Kind:kind;',
      'label:kind;',
      'setVar:love=3;',
      'label:cold;',
      'changeScene:two.txt;',
    ];
    const way = findStoryWay([scene('start', first, 5), scene('two', GATE.slice(1), 5)]);
    expect(way.forks).toMatchObject([{ at: 0, taken: 1, path: 'start' }]);
    expect(findStoryWay([scene('start', first, 5), scene('two', ['A:hi;'], 1)]).forks).toEqual([]);
  });

  it('says why no way is found: dead lines, impossible conditions, scenes that are too long', () => {
    const dead = ['A:one;', 'end;', 'A:two;', ''];
    expect(findStoryWay([scene('a', dead, 3)]).failure).toEqual({ reason: 'line', path: 'a', line: 3, condition: '' });
    expect(findStoryWay([scene('a', dead, 4)]).failure).toBeNull();
    const never = ['jumpLabel:x -when=love>2&&love<1;', 'end;', 'label:x;', 'A:never;'];
    expect(findStoryWay([scene('a', never, 4)]).failure).toEqual({
      ...{ reason: 'condition', path: 'a', line: 1, condition: 'love>2&&love<1' },
    });
    const long = Array.from({ length: 2_100 }, (_, at) => `label:l${at};`);
    expect(findStoryWay([scene('a', [...long, 'A:x;'], 2_101)]).failure?.reason).toBe('too-long');
  });

  it('does not trust a random value, also where it was calculated with', () => {
    const lines = [
      'setVar:dice=random(1,6);',
      'setVar:sum=dice+1;',
      'jumpLabel:x -when=sum>3;',
      'end;',
      'label:x;',
      'A:hi;',
    ];
    expect(findStoryWay([scene('a', lines, 6)]).assumptions).toEqual([{ name: 'sum', value: 4, path: 'a', line: 3 }]);
  });
});
