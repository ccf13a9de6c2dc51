import { describe, expect, it } from 'vitest';
import type { PatchOperation } from '../../../shared/model/plan/patch.ts';
import { composePatch } from './compose-patch.ts';

const A = 'game/scene/a.txt';
const B = 'game/scene/b.txt';
const CONFIG = 'game/config.txt';

function compose(text: string | null, ...operations: PatchOperation[]) {
  const texts = new Map([
    [A, { text, version: 'v' }],
    [B, { text: null, version: null }],
    [CONFIG, { text: 'Game_name:Rain;\nTitle_img:a.webp;\n', version: 'c' }],
  ]);
  const { changes, issues } = composePatch(operations, texts);
  return issues.length > 0 ? issues : changes.map(({ path, after }) => [path, after]);
}

describe('composePatch', () => {
  it.each<[string, string, PatchOperation, string]>([
    ['inserts after lines', 'a\nb\nc\n', { op: 'insert', path: A, expect: 'a\nb', text: 'x\ny' }, 'a\nb\nx\ny\nc\n'],
    ['inserts at the beginning', 'a\n', { op: 'insert', path: A, expect: '', text: 'x' }, 'x\na\n'],
    ['ends new last lines with a line break', 'a', { op: 'insert', path: A, expect: 'a', text: 'x' }, 'a\nx\n'],
    ['replaces a last line without a line break', 'a', { op: 'replace', path: A, expect: 'a', text: 'x' }, 'x'],
    ['replaces', 'a\nb\nc\n', { op: 'replace', path: A, expect: 'b\n', text: 'x' }, 'a\nx\nc\n'],
    ['removes lines', 'a\nb\nc\n', { op: 'replace', path: A, expect: 'b', text: '' }, 'a\nc\n'],
    [
      'keeps CRLF and the byte order mark',
      '\ufeffa\r\nb\r\n',
      { op: 'insert', path: A, expect: 'a', text: 'x' },
      '\ufeffa\r\nx\r\nb\r\n',
    ],
    [
      'takes the named one of equal lines',
      'a\nb\na\n',
      { op: 'insert', path: A, expect: 'a', text: 'x', line: 3 },
      'a\nb\na\nx\n',
    ],
  ])('%s', (_name, before, operation, after) => {
    expect(compose(before, operation)).toEqual([[A, after]]);
  });

  it('creates, renames, deletes and sets keys', () => {
    expect(compose('a\n', { op: 'create', path: B, expect: null, text: 'b\n' })).toEqual([[B, 'b\n']]);
    expect(compose('a\n', { op: 'rename', path: A, to: B, expect: 'a' })).toEqual([
      [A, null],
      [B, 'a\n'],
    ]);
    expect(compose('a\n', { op: 'delete', path: A, expect: 'a' })).toEqual([[A, null]]);
    const config = (key: string, expected: string | null, value: string | null): PatchOperation => {
      return { op: 'config', path: CONFIG, key, expect: expected, value };
    };
    expect(compose('', config('Game_name', 'Rain', 'Snow'))).toEqual([
      [CONFIG, 'Game_name:Snow;\nTitle_img:a.webp;\n'],
    ]);
    expect(compose('', config('Game_key', null, 'x'))).toEqual([
      [CONFIG, 'Game_name:Rain;\nTitle_img:a.webp;\nGame_key:x;\n'],
    ]);
    expect(compose('', config('Title_img', 'a.webp', null))).toEqual([[CONFIG, 'Game_name:Rain;\n']]);
    expect(compose('', config('Game_name', 'Wind', 'Snow'))).toEqual([`expect:${CONFIG} Game_name`]);
  });

  it('applies operations one after the other, all or none', () => {
    const first: PatchOperation = { op: 'insert', path: A, expect: 'a', text: 'x' };
    expect(compose('a\n', first, { op: 'replace', path: A, expect: 'x', text: 'y' })).toEqual([[A, 'a\ny\n']]);
    expect(compose('a\n', first, { op: 'replace', path: A, expect: 'z', text: 'y' })).toEqual([`expect:${A} z`]);
  });

  it.each<[string | null, PatchOperation, string]>([
    ['a\n', { op: 'insert', path: A, expect: 'b', text: 'x' }, `expect:${A} b`],
    ['a\na\n', { op: 'insert', path: A, expect: 'a', text: 'x' }, `ambiguous:${A} a`],
    ['a\n', { op: 'create', path: A, expect: null, text: 'x' }, `exists:${A}`],
    [null, { op: 'replace', path: A, expect: 'a', text: 'x' }, `missing:${A}`],
    ['a\n', { op: 'delete', path: A, expect: 'b' }, `expect:${A}`],
    ['a\n', { op: 'insert', path: '../a', expect: 'a', text: 'x' }, 'path:../a'],
    ['a\n', { op: 'insert', path: 'game/scene/c.txt', expect: 'a', text: 'x' }, 'unread:game/scene/c.txt'],
  ])('says why an operation does not fit %j', (before, operation, issue) => {
    expect(compose(before, operation)).toEqual([issue]);
  });
});
