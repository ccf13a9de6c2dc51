import { expect, it } from 'vitest';
import { toMeantName } from './meant-name.ts';

const OFFERED = new Set(['read_file', 'list_files', 'grep']);

it.each([
  ['read_file', 'read_file'],
  ['functions.read_file', 'read_file'],
  ['functions.read_file:0', 'read_file'],
  ['default_api:read_file', 'read_file'],
  ['read_file<|channel|>commentary', 'read_file'],
  ['readFile', 'read_file'],
  ['Read_File', 'read_file'],
  ['read file', 'read_file'],
  ['Grep', 'grep'],
])('understands %j', (name, meant) => {
  expect(toMeantName(name, OFFERED)).toBe(meant);
});

it.each(['', 'read', 'read_file.list_files', '读取文件', '__proto__'])('leaves %j as it is', (name) => {
  expect(toMeantName(name, OFFERED)).toBe(name);
});
