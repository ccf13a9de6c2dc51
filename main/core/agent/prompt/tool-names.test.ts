import { expect, it } from 'vitest';
import { toAcceptedName } from './tool-names.ts';

it.each([
  ['read_file', 'read_file'],
  ['functions.read_file', 'functions_read_file'],
  ['读取文件', '_'],
  ['', '_'],
  ['3d', '_3d'],
])('makes a name of %j that every provider accepts', (name, accepted) => {
  expect(toAcceptedName(name)).toBe(accepted);
});

it('shortens a long name', () => {
  expect(toAcceptedName('x'.repeat(500)).length).toBeLessThanOrEqual(64);
});
