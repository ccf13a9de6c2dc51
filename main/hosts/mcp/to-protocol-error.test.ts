import { expect, it } from 'vitest';
import { AppError, type ErrorCode } from '../../../shared/errors.ts';
import { toProtocolError } from './to-protocol-error.ts';

it.each<[ErrorCode, number]>([
  ['E_NOT_FOUND', -32002],
  ['E_DENY_PATH', -32602],
  ['E_BAD_ARGS', -32602],
  ['E_IO', -32603],
  ['E_INTERNAL', -32603],
])('converts %s to %i and keeps the message without the code', (code, number) => {
  const {
    code: sent,
    message,
    data,
  } = toProtocolError(new AppError(code, 'Words.', { hint: 'Do.' })) as Error & {
    code: number;
    data: unknown;
  };
  expect([sent, message, data]).toEqual([number, 'Words.', expect.objectContaining({ code, hint: 'Do.' })]);
});
