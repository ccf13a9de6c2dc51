import { expect, test } from 'vitest';
import { toLineDiff } from '../../../main/core/text/line-diff.ts';
import type { Diagnostic } from '../../../shared/model/diagnostic.ts';
import { createLanguageOperations } from './language-operations.ts';

const START = 'game/scene/start.txt';
const TWO = 'game/scene/two.txt';
const locale = 'en';

function service(texts: Record<string, string>) {
  const operations = createLanguageOperations();
  operations.reset({ engineVersion: '4.6.1' });
  operations.setFiles({ paths: [...Object.keys(texts), 'game/background/sea.png'] });
  for (const [path, text] of Object.entries(texts)) operations.setText({ path, text });
  return operations;
}

test('returns plain data that a worker can send', () => {
  const operations = service({ [START]: 'label:a;\nsetVar:hp=1;\nchangeBg:sea.png;\n雪乃:你好 {hp};\njumpLabel:a;' });
  const place = { path: START, line: 3, column: 10 };
  const answers = [
    operations.complete({ place, locale }),
    operations.hover({ place, locale }),
    operations.signature({ place: { ...place, line: 4 }, locale }),
    operations.summarize({ path: START }),
    operations.storyJson({}),
    operations.findLines({ words: ['你好'] }),
    operations.fold({ path: START }),
    operations.format({ path: START }),
    operations.findDefinitions({ place: { ...place, line: 5, column: 11 } }),
    operations.findReferences({ place: { ...place, line: 2, column: 8 } }),
    operations.findRenamable({ place: { ...place, line: 4, column: 1 } }),
  ];
  expect(answers.every((answer) => answer !== null)).toBe(true);
  expect(structuredClone(answers)).toEqual(answers);
});

test('quotes lines from a little before a word on', () => {
  const text = `:One;\n雪乃:${'风'.repeat(40)}灯塔${'海'.repeat(400)};\n:Ｏne;`;
  const operations = service({ [START]: text });
  const quote = (line: number, ...words: string[]) => {
    const [found] = operations.quoteLines({ places: [{ path: START, line }], words });
    return found && [`${found.before}[${found.match}]${found.after}`, found.column];
  };
  expect(quote(1, 'one')).toEqual([':[One];', 2]);
  expect(quote(3, 'one')).toEqual([':[Ｏne];', 2]);
  expect(quote(2, '灯塔')).toEqual([expect.stringMatching(/^…风{16}\[灯塔\]海{159}…$/), 44]);
  expect(quote(2, '灯塔', '风')).toEqual([expect.stringMatching(/^雪乃:\[风\]风{39}灯塔/), 4]);
  expect(quote(2)).toEqual([expect.stringMatching(/^\[\]雪乃:风/), 1]);
  expect(quote(9, 'one')).toEqual(['[]', 1]);
});

test('returns the texts of other files with places in them', () => {
  const operations = service({ [START]: 'changeScene:two.txt;', [TWO]: 'end;' });
  expect(operations.findDefinitions({ place: { path: START, line: 1, column: 14 } })).toEqual({
    places: [{ path: TWO, line: 1, column: 1, endLine: 1, endColumn: 1 }],
    texts: { [TWO]: 'end;' },
  });
});

test('renames a scene by its name in scripts', () => {
  const operations = service({ [START]: 'changeScene:two.txt;', [TWO]: 'end;' });
  const place = { path: START, line: 1, column: 14 };
  expect(operations.findRenamable({ place })).toMatchObject({ kind: 'scene', name: 'two.txt' });
  expect(operations.rename({ place, name: 'start.txt' })).toEqual({ problem: 'taken' });
  for (const name of ['zwei.txt', 'zwei'])
    expect(operations.rename({ place, name })).toEqual([
      { path: START, before: 'changeScene:two.txt;', after: 'changeScene:zwei.txt;' },
      { path: TWO, before: 'end;', after: null },
      { path: 'game/scene/zwei.txt', before: null, after: 'end;', from: TWO },
    ]);
  expect(operations.rename({ place, name: ' ' })).toEqual({ problem: 'empty' });
});

test('renames a scene by its path, with its references, or not at all', () => {
  const operations = service({ [START]: 'changeScene:two.txt;', [TWO]: 'end;' });
  expect(operations.renameScene({ path: TWO, name: 'zwei' })).toEqual([
    { path: START, before: 'changeScene:two.txt;', after: 'changeScene:zwei.txt;' },
    { path: TWO, before: 'end;', after: null },
    { path: 'game/scene/zwei.txt', before: null, after: 'end;', from: TWO },
  ]);
  expect(operations.renameScene({ path: TWO, name: 'two' })).toEqual([]);
  expect(operations.renameScene({ path: TWO, name: 'ch1.2' })).toContainEqual({
    ...{ path: 'game/scene/ch1.2.txt', before: null, after: 'end;', from: TWO },
  });
  for (const name of ['.hidden', 'x/', 'x/.two.txt', '#1', '100%41'])
    expect(operations.renameScene({ path: TWO, name })).toEqual({ problem: 'unusable' });
  expect(operations.renameScene({ path: START, name: 'first' })).toEqual({ problem: 'not-renamable' });
  operations.setUnreadable({ path: TWO, code: 'E_ENCODING' });
  expect(operations.renameScene({ path: TWO, name: 'zwei' })).toEqual({ problem: 'unreadable' });
});

test('replaces words in all scenes and counts them', () => {
  const operations = service({ [START]: 'A:rain, rain;', [TWO]: 'B:rain;', 'game/config.txt': 'Game_name:rain;' });
  const wanted = { find: 'rain', replacement: 'snow', isOnlyRead: true, isWholeWords: false };
  expect(operations.countWords({ ...wanted, replacement: '' })).toEqual({ places: 3, scenes: 2, misread: 0 });
  expect(operations.replaceWords(wanted)).toEqual([
    { path: START, before: 'A:rain, rain;', after: 'A:snow, snow;' },
    { path: TWO, before: 'B:rain;', after: 'B:snow;' },
  ]);
});

test('does not rename pictures and sounds', () => {
  const operations = service({ [START]: 'changeBg:sea.png;' });
  expect(operations.findRenamable({ place: { path: START, line: 1, column: 12 } })).toBeNull();
});

test('fixes all problems of one code in all files, and no others', () => {
  const operations = service({
    [START]: 'A:one\nA:two\nchangeScene:two.txt;',
    [TWO]: 'A:three\nend;',
    'game/config.txt': 'Game_name:x;',
  });
  expect(operations.fixAll({ code: 'missing-semicolon', locale })).toEqual([
    { path: START, before: 'A:one\nA:two\nchangeScene:two.txt;', after: 'A:one;\nA:two;\nchangeScene:two.txt;' },
    { path: TWO, before: 'A:three\nend;', after: 'A:three;\nend;' },
  ]);
});

test('updates the word count when a scene changes', () => {
  const operations = service({ [START]: '雪乃:你好;\nintro:第一章|Chapter one;', [TWO]: 'A:one two three;' });
  expect(operations.measure({})).toEqual({ scenes: 2, words: 2 + 5 + 3 });
  operations.setText({ path: TWO, text: 'A:one;' });
  expect(operations.measure({})).toEqual({ scenes: 2, words: 2 + 5 + 1 });
  operations.removeText({ path: TWO });
  expect(operations.measure({})).toEqual({ scenes: 1, words: 2 + 5 });
});

test('reports an unreadable file as a problem until it can be read', () => {
  const operations = service({ [START]: 'label:unused;\nend;' });
  const settings = 'game/webgal-agent.json';
  const known = new Map<string, Diagnostic[]>();
  const see = () => {
    for (const { path, found } of operations.refreshProblems({ locale }).files) known.set(path, found);
    return [...known.values()]
      .flat()
      .sort((one, other) => (one.path < other.path ? -1 : 1))
      .filter(({ path, code }) => path !== 'game/background/sea.png' && !code.startsWith('missing'))
      .map(({ path, severity, code }) => [path, severity, code]);
  };
  operations.setText({ path: settings, text: '{"severities": {"unused-label": "warning"}}' });
  expect(see()).toEqual([[START, 'warning', 'unused-label']]);
  operations.setUnreadable({ path: settings, code: 'E_ENCODING' });
  expect(see()).toEqual([
    [START, 'info', 'unused-label'],
    [settings, 'error', 'unreadable-file'],
  ]);
  operations.setText({ path: settings, text: '{"severities": {"unused-label": "off"}}' });
  expect([see(), operations.diagnose({ path: START, locale })]).toEqual([[], []]);
  operations.removeText({ path: settings });
  expect(operations.diagnose({ path: START, locale }).map(({ severity }) => severity)).toEqual(['info']);
});

test('applies edits to a known text and rejects edits to other texts', () => {
  const operations = service({ [START]: 'end;' });
  const edit = { edits: [{ at: 0, removed: 3, text: 'changeScene:two.txt' }], length: 20 };
  expect(operations.editText({ path: TWO, ...edit })).toBe(false);
  expect(operations.editText({ path: START, ...edit, length: 21 })).toBe(false);
  expect(operations.editText({ path: START, ...edit })).toBe(true);
  expect(operations.diagnose({ path: START, locale })).toMatchObject([{ code: 'missing-scene' }]);
});

test('finds names to mention, those that begin with the text first', () => {
  const operations = service({
    [START]: 'label:雨夜;\n雪乃:你好;\n:旁白;\n海:嗯;\n海:好;\n',
    [TWO]: 'label:夜;\nlabel:别的;\nend;\n',
  });
  expect(operations.findNames({ text: '夜' })).toEqual({
    speakers: [],
    labels: [
      [TWO, '夜', 1],
      [START, '雨夜', 1],
    ],
  });
  // A narration has no name.
  expect(operations.findNames({ text: '' }).speakers).toEqual([
    ['海', 2],
    ['雪乃', 1],
  ]);
  const many = service({ [START]: Array.from({ length: 400 }, (_, index) => `label:go${index};`).join('\n') });
  expect(many.findNames({ text: 'go' }).labels).toHaveLength(50);
});

test('neither adds nor fixes the problems of a scene that is renamed only', () => {
  const renamed = 'game/scene/renamed.txt';
  const text = 'changeBg:gone.png;\nend;';
  const operations = service({ [START]: 'changeScene:two.txt;', [TWO]: text });
  const review = (path: string, before: string | null, after: string | null, from?: string) => ({
    ...{ path, before, after, hunks: toLineDiff(before, after).hunks },
    ...(from !== undefined && { from }),
  });
  const moved = [review(TWO, text, null), review(renamed, null, text, TWO)];
  const jump = review(START, 'changeScene:two.txt;', 'changeScene:renamed.txt;');
  operations.setReview({ changed: [...moved, jump], gone: [] });
  const check = (...paths: string[]) => {
    const choices = new Map(paths.map((path) => [path, { taken: new Set([0]) }]));
    const { added, fixed } = operations.checkReview({ choices, scope: 'game', locale });
    return [added.map(({ code }) => code), (fixed ?? []).map(({ code }) => code)];
  };
  expect(check(START, TWO, renamed)).toEqual([[], []]);
  expect(check(TWO, renamed)).toEqual([['missing-scene'], []]);
});

test('tells the problems of scenes whose names are exchanged, or are a part of others', () => {
  const [one, other] = ['changeScene:missing-a.txt;', 'changeBg:gone.png;\nend;'];
  const operations = service({ [START]: 'changeScene:a.txt;', 'game/scene/a.txt': one, 'game/scene/b.txt': other });
  const review = (path: string, before: string, after: string, from: string) => ({
    ...{ path, before, after, from, hunks: toLineDiff(before, after).hunks },
  });
  const changed = [
    review('game/scene/a.txt', one, other, 'game/scene/b.txt'),
    review('game/scene/b.txt', other, one, 'game/scene/a.txt'),
  ];
  operations.setReview({ changed, gone: [] });
  const choices = new Map(changed.map(({ path, hunks }) => [path, { taken: new Set(hunks.keys()) }]));
  const { added, fixed } = operations.checkReview({ choices, scope: 'game', locale });
  expect([added.map(({ code }) => code), (fixed ?? []).map(({ code }) => code)]).toEqual([[], []]);
});

test('checks the ticked part of a proposal and leaves the game as it was', () => {
  const [rain, notes] = ['game/scene/rain.txt', 'game/background/sea.png'];
  const operations = service({ [START]: 'changeBg:gone.png;\nA:1;\nA:2;\nA:3;\nend;' });
  operations.setFiles({ paths: [START, notes] });
  const before = 'changeBg:gone.png;\nA:1;\nA:2;\nA:3;\nend;';
  const after = 'changeBg:sea.png;\nA:1;\njumpLabel:x;\nA:2;\nlabel:x;\nA:3;\nchangeScene:rain.txt;';
  const review = (path: string, old: string | null, now: string | null) => {
    const { hunks } = toLineDiff(old, now);
    return { path, before: old, after: now, hunks };
  };
  const changed = [review(START, before, after), review(rain, null, ':rain;\nend;'), review(notes, 'a', 'b')];
  operations.setReview({ changed, gone: [] });
  const check = (...choices: [string, number[]][]) => {
    const taken = new Map(choices.map(([path, pieces]) => [path, { taken: new Set(pieces) }]));
    const { added, fixed, dependencies } = operations.checkReview({ choices: taken, scope: 'game', locale });
    const fast = operations.checkReview({ choices: taken, scope: 'files', locale });
    expect([fast.added, fast.fixed, fast.dependencies]).toEqual([added, null, dependencies]);
    return {
      ...{ added: added.map(({ code, line }) => `${code}:${line}`), fixed: (fixed ?? []).map(({ code }) => code) },
      needs: dependencies.map(({ name }) => name),
    };
  };
  const problems = operations.refreshProblems({ locale });
  expect(check([START, [0]], [notes, [0]])).toEqual({ added: [], fixed: ['missing-file'], needs: [] });
  expect(check([START, [1]])).toEqual({ added: ['missing-label:3'], fixed: [], needs: ['x'] });
  expect(check([START, [3]])).toEqual({ added: ['missing-scene:5'], fixed: [], needs: [rain] });
  expect(check([START, [0, 1, 2, 3]], [rain, [0]])).toEqual({ added: [], fixed: ['missing-file'], needs: [] });
  expect(check()).toEqual({ added: [], fixed: [], needs: [] });
  expect(structuredClone(problems).files.length).toBeGreaterThan(0);
  expect(operations.refreshProblems({ locale })).toEqual({ files: [], isLast: true });
  operations.setReview({ changed: [], gone: [rain] });
  expect(check([rain, [0]])).toEqual({ added: [], fixed: [], needs: [] });
});
