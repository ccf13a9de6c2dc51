import type { UpdateProblem } from '../../../../shared/model/updates.ts';

/** Error codes of electron-updater, builder-util-runtime and the system; the first match wins. */
const BY_CODE: readonly [RegExp, UpdateProblem][] = [
  [/^ERR_CHECKSUM_MISMATCH$|^ERR_UPDATER_NO_CHECKSUM$/, 'checksum'],
  [/^ERR_UPDATER_INVALID_SIGNATURE$/, 'signature'],
  [/^ERR_UPDATER_(INVALID|NO_FILES|ZIP_FILE_NOT_FOUND|UNSUPPORTED)|^ERR_XML_/, 'badFeed'],
  [/^HTTP_ERROR_|^ERR_UPDATER_(CHANNEL_FILE|LATEST_VERSION|NO_PUBLISHED)/, 'noFeed'],
  [/^(ENOSPC|EACCES|EPERM|EROFS|EDQUOT|ENAMETOOLONG)$/, 'disk'],
];

/** Chromium's network errors are part of the message. */
const BY_MESSAGE: readonly [RegExp, UpdateProblem][] = [
  [/net::ERR_(CERT|SSL|BAD_SSL)_/, 'insecure'],
  [/code signature|not signed/i, 'signature'],
];
const NETWORK =
  /net::ERR_|\b(ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN)\b|aborted by the server|timed? ?out/i;

/** Classifies an error. `step` separates a connection that could not be made from one that broke during the download. */
export function toUpdateProblem(error: unknown, step: 'check' | 'download'): UpdateProblem {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const [codeText, messageText] = [typeof code === 'string' ? code : '', typeof message === 'string' ? message : ''];
  const lost = step === 'check' ? 'offline' : 'cut';
  return find(BY_MESSAGE, messageText) ?? (NETWORK.test(messageText) ? lost : (find(BY_CODE, codeText) ?? 'unknown'));
}

function find(rows: readonly [RegExp, UpdateProblem][], text: string): UpdateProblem | undefined {
  return rows.find(([pattern]) => pattern.test(text))?.[1];
}
