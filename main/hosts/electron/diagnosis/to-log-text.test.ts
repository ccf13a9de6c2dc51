import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import { toLogMessage, toLogText } from './to-log-text.ts';

describe('toLogMessage', () => {
  it.each([
    ['"game/scene/start.txt" changed on disk', '"…" changed on disk'],
    [
      "ENOENT: no such file or directory, open '/home/me/我的游戏/game/start.txt'",
      'ENOENT: no such file or directory, open "…"',
    ],
    ['cannot read /home/me/game/start.txt: denied', 'cannot read <path>: denied'],
    ['cannot read C:\\Games\\Sea\\start.txt now', 'cannot read <path> now'],
    ['fetch of https://api.example.com/v1?key=abc failed', 'fetch of <address> failed'],
    ['line 小满:你好 is odd', 'line …:… is odd'],
    ['Authorization: Bearer abcdefgh12', '[redacted]'],
  ])('formats %j as %j', (message, clean) => {
    expect(toLogMessage(message)).toBe(clean);
  });

  it('keeps a property name in an error of the JavaScript engine', () => {
    const message = "Cannot read properties of undefined (reading 'length')";
    expect(toLogMessage(message, 'TypeError')).toBe(message);
  });
});

describe('toLogText', () => {
  it('contains name, code and stack frames, and no folder', () => {
    const error = new AppError('E_CONFLICT', '"game/scene/a.txt" changed.', { cause: new Error('at /secret/place') });
    const text = toLogText(error);
    expect(text).toContain('AppError E_CONFLICT: "…" changed.');
    expect(text).toContain('caused by Error: at <path>');
    expect(text).toMatch(/ at .*to-log-text\.test\.ts:\d+/);
    expect(text).not.toContain(import.meta.dirname);
  });

  it('omits the message of a syntax error, which quotes its input', () => {
    const failure = () => JSON.parse('{"text": We said hello}') as unknown;
    let caught: unknown;
    try {
      failure();
    } catch (error) {
      caught = error;
    }
    expect(String(caught)).toContain('We');
    expect(toLogText(caught).split('\n')[0]).toBe('SyntaxError');
  });

  it('accepts any thrown value', () => {
    expect([toLogText('"x" failed'), toLogText(null), toLogText(undefined), toLogText(7)]).toEqual([
      '"…" failed',
      '',
      '',
      '7',
    ]);
  });
});
