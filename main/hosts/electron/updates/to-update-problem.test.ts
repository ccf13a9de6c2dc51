import { expect, it } from 'vitest';
import { toUpdateProblem } from './to-update-problem.ts';

it.each([
  ['check', { message: 'net::ERR_INTERNET_DISCONNECTED' }, 'offline'],
  ['check', { message: 'net::ERR_CONNECTION_REFUSED' }, 'offline'],
  [
    'check',
    { code: 'ERR_UPDATER_LATEST_VERSION_NOT_FOUND', message: 'Unable to find …: net::ERR_NAME_NOT_RESOLVED' },
    'offline',
  ],
  ['check', { message: 'net::ERR_CERT_AUTHORITY_INVALID' }, 'insecure'],
  ['check', { code: 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND', message: 'Cannot find channel' }, 'noFeed'],
  ['check', { code: 'HTTP_ERROR_503', message: '503' }, 'noFeed'],
  ['check', { code: 'ERR_UPDATER_INVALID_VERSION', message: 'not a valid semver version' }, 'badFeed'],
  ['download', { message: 'net::ERR_CONTENT_LENGTH_MISMATCH' }, 'cut'],
  ['download', { code: 'ERR_CHECKSUM_MISMATCH', message: 'sha512 checksum mismatch' }, 'checksum'],
  ['download', { code: 'ERR_UPDATER_INVALID_SIGNATURE', message: 'not signed by the application owner' }, 'signature'],
  ['download', { message: 'Code signature at URL did not pass validation' }, 'signature'],
  ['download', { code: 'ENOSPC', message: 'no space left on device' }, 'disk'],
  ['download', new TypeError('x is not a function'), 'unknown'],
] as const)('classifies an error of %s, %j, as %s', (step, error, problem) => {
  expect(toUpdateProblem(error, step)).toBe(problem);
});
