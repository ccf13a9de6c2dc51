import { describe, expect, it } from 'vitest';
import type { ProjectFile } from '../../../shared/model/project.ts';
import { findMentions, MAX_SUGGESTIONS, toCandidate, toFileCandidates, toMentionQuery } from './find-mentions.ts';

describe('toMentionQuery', () => {
  it.each([
    ['@', 1, { start: 0, query: '' }],
    ['look at @bri', 12, { start: 8, query: 'bri' }],
    ['看看@雨夜', 5, { start: 2, query: '雨夜' }],
    ['看看＠雨', 4, { start: 2, query: '雨' }],
    ['@one @two', 9, { start: 5, query: 'two' }],
    ['(@a', 3, { start: 1, query: 'a' }],
  ])('finds the text behind the sign: %s', (text, caret, found) => {
    expect(toMentionQuery(text, caret)).toEqual(found);
  });

  it.each([
    ['no sign', 7],
    ['mail@example.org', 16],
    ['@done and on', 12],
    ['@a\nb', 4],
    [`@${'x'.repeat(80)}`, 81],
    ['', 0],
  ])('finds none: %s', (text, caret) => {
    expect(toMentionQuery(text, caret)).toBeNull();
  });

  it('looks only before the caret', () => {
    expect(toMentionQuery('@bridge', 4)).toEqual({ start: 0, query: 'bri' });
    expect(toMentionQuery('a @b', 1)).toBeNull();
  });
});

const scene = (path: string) => toFileCandidates([{ path, kind: 'scene', bytes: 1 }]).scenes;
const names = (found: readonly { name: string }[]): string[] => found.map(({ name }) => name);

describe('findMentions', () => {
  it('sorts the same name before its beginning, its middle and its folder', () => {
    const list = [
      ...scene('game/scene/rain/other.txt'),
      ...scene('game/scene/the-rain.txt'),
      ...scene('game/scene/rainy.txt'),
      toCandidate({ kind: 'character', name: 'Rain' }, 'Rain', ''),
    ];
    expect(names(findMentions([list], 'rain'))).toEqual(['Rain', 'rainy.txt', 'the-rain.txt', 'other.txt']);
  });

  it('finds a part of a Chinese name', () => {
    const list = [...scene('game/scene/第三章雨夜的争吵.txt'), ...scene('game/scene/晴天.txt')];
    expect(names(findMentions([list], '雨夜'))).toEqual(['第三章雨夜的争吵.txt']);
  });

  it('finds a file by its folder and name', () => {
    const list = [...scene('game/scene/act1/rain.txt'), ...scene('game/scene/act2/rain.txt')];
    expect(findMentions([list], 'act2/ra')).toEqual([list[1]]);
  });

  it('shows some of each kind before anything is typed', () => {
    const many = Array.from({ length: 60 }, (_, index) => scene(`game/scene/s${index}.txt`)).flat();
    const characters = [toCandidate({ kind: 'character', name: 'Xue' }, 'Xue', '')];
    expect(names(findMentions([many, characters], ''))).toContain('Xue');
  });

  it('is bounded for any number of matches', () => {
    const files: ProjectFile[] = Array.from({ length: 20_000 }, (_, index) => ({
      path: `game/background/bg${index}.webp`,
      kind: 'background',
      bytes: 1,
    }));
    const { assets } = toFileCandidates(files);
    expect(findMentions([assets], 'bg')).toHaveLength(MAX_SUGGESTIONS);
    expect(toFileCandidates(files).assets).toBe(assets);
  });
});
