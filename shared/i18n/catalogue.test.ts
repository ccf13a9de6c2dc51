import { expect, test } from 'vitest';
import { createCatalogue } from './catalogue.ts';

const en = {
  open: 'Open',
  scene: { delete: 'Delete {name}', found_one: '{count} scene', found_other: '{count} scenes' },
  report: 'Checked: {what}.',
  near: 'Near names: {names}.',
};
const catalogue = createCatalogue({
  en,
  'zh-CN': { scene: { delete: '删除 {name}', found_other: '{count} 个场景' }, near: '相近的名字：{names}。' },
});

test('fills placeholders and leaves those without a value', () => {
  expect(catalogue.translate('en', 'scene.delete', { name: 'start.txt' })).toBe('Delete start.txt');
  expect(catalogue.translate('en', 'scene.delete')).toBe('Delete {name}');
  expect(catalogue.translate('en', 'scene.delete', { name: '{name} $&' })).toBe('Delete {name} $&');
  expect(catalogue.translate('en', 'scene.delete', JSON.parse('{"__proto__":"x"}'))).toBe('Delete {name}');
});

test('selects the plural form of the language by the value `count`', () => {
  expect([1, 2].map((count) => catalogue.translate('en', 'scene.found', { count }))).toEqual(['1 scene', '2 scenes']);
  expect([1, 2].map((count) => catalogue.translate('zh-CN', 'scene.found', { count }))).toEqual([
    '1 个场景',
    '2 个场景',
  ]);
});

test('translates messages among the values', () => {
  const what = { key: 'scene.found', values: { count: 3 } } as const;
  expect(catalogue.translate('en', 'report', { what })).toBe('Checked: 3 scenes.');
});

test('writes a list with the separator of the language', () => {
  const names = ['a', { key: 'scene.found', values: { count: 2 } }] as const;
  expect(catalogue.translate('en', 'near', { names })).toBe('Near names: a, 2 scenes.');
  expect(catalogue.translate('zh-CN', 'near', { names })).toBe('相近的名字：a、2 个场景。');
});

test('answers in English where a language lacks the text', () => {
  expect(catalogue.createTranslator('zh-CN')('open')).toBe('Open');
  expect(catalogue.translate('zh-CN', 'report', { what: 'x' })).toBe('Checked: x.');
  expect(catalogue.translate('ja', 'near', { names: ['a', 'b'] })).toBe('Near names: a, b.');
});

test('lists a text in the languages that have it', () => {
  expect(catalogue.toLocalText('scene.delete', { name: 'a' })).toEqual({ 'zh-CN': '删除 a', en: 'Delete a' });
  expect(Object.keys(catalogue.toLocalText('scene.delete'))).toEqual(['zh-CN', 'en']);
  expect(catalogue.toLocalText('open')).toEqual({ en: 'Open' });
});
