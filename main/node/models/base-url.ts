import { AppError } from '../../../shared/errors.ts';
import { toModelReason } from '../../../shared/model/model-problem.ts';

/** Hosts that are this machine or a private network, where an unencrypted connection does not cross the internet. */
const NEAR =
  /^(localhost|[\w-]+\.(local|lan)|127(\.\d{1,3}){3}|10(\.\d{1,3}){3}|192\.168(\.\d{1,3}){2}|172\.(1[6-9]|2\d|3[01])(\.\d{1,3}){2}|\[::1\]|\[f[cd][0-9a-f:]+\])$/i;

/**
 * Validates an address that a key will be sent to: https anywhere, http only for local hosts, no password in it. Returns
 * it without a slash at the end. Throws `E_BAD_ARGS` with reason `model.address`.
 */
export function toBaseUrl(address: string): string {
  const refuse = (why: string): never => {
    throw new AppError('E_BAD_ARGS', `The service address cannot be used: ${why}.`, {
      details: { why },
      hint: 'It begins with https://, such as https://api.example.com/v1.',
      reason: toModelReason('address'),
    });
  };
  const url = URL.parse(address.trim());
  if (!url) return refuse('it is not a web address');
  if (url.username || url.password) return refuse('it holds a user name or password');
  if (url.search || url.hash) return refuse('it holds a query or a fragment');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && NEAR.test(url.hostname))) {
    return refuse('only https is safe for a key outside this machine and its network');
  }
  return url.href.replace(/\/+$/, '');
}
