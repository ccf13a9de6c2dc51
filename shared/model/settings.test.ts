import { expect, test } from 'vitest';
import { methods } from '../contract.ts';
import { DEFAULT_SETTINGS, Settings } from './settings.ts';

test('the settings that apply at first are valid and complete', () => {
  expect(Settings.parse(DEFAULT_SETTINGS)).toEqual(DEFAULT_SETTINGS);
  expect(Object.keys(DEFAULT_SETTINGS)).toEqual(Object.keys(Settings.shape));
});

test('a change names some settings and no default of the others', () => {
  expect(methods['settings.update'].input.parse({ theme: 'dark' })).toEqual({ theme: 'dark' });
});

test.each(Object.keys(Settings.shape))('the setting %s has no default in its schema', (name) => {
  const { [name as keyof Settings]: _left, ...others } = DEFAULT_SETTINGS;
  expect(Settings.safeParse(others).success).toBe(false);
});
