import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { REPLACED, replaceMessages } from './replace-messages.ts';

const MONACO = join(import.meta.dirname, '../../../node_modules/monaco-editor/esm/vs');
const SOURCES = [
  'editor/common/standaloneStrings.js',
  'editor/contrib/quickAccess/browser/gotoSymbolQuickAccess.js',
  'editor/contrib/rename/browser/rename.js',
].map((file) => readFileSync(join(MONACO, file), 'utf8'));

describe('replaceMessages', () => {
  afterEach(() => {
    globalThis._VSCODE_NLS_MESSAGES = undefined;
  });

  it.each(REPLACED)('names the place of “$english” in this version of Monaco', ({ at, english }) => {
    expect(SOURCES.some((source) => source.includes(`(${at}, "${english}"`))).toBe(true);
  });

  it('keeps the other messages of a language, and English where there are none', () => {
    replaceMessages((key) => key);
    expect(globalThis._VSCODE_NLS_MESSAGES?.[1420]).toBe('outline.count');
    expect(globalThis._VSCODE_NLS_MESSAGES?.[1419]).toBeUndefined();
    globalThis._VSCODE_NLS_MESSAGES = ['one'];
    replaceMessages((key) => key);
    expect(globalThis._VSCODE_NLS_MESSAGES[0]).toBe('one');
    expect(globalThis._VSCODE_NLS_MESSAGES[1457]).toBe('menu.rename');
  });
});
