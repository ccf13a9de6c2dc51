import { AppError } from '../../../../shared/errors.ts';
import { redactText } from '../audit/redact.ts';
import { hasMachinePath } from './machine-paths.ts';

/**
 * Throws `E_POLICY_VIOLATION` with reason `provider.leak` for arguments with something that looks like a key or an absolute path:
 * neither is ever sent to another program.
 */
export function refuseLeaks(input: unknown, provider: string): void {
  const open: unknown[] = [input];
  for (let value = open.pop(); open.length > 0 || value !== undefined; value = open.pop()) {
    if (typeof value === 'string') requireHarmless(value, provider);
    else if (typeof value === 'object' && value !== null) open.push(...Object.keys(value), ...Object.values(value));
  }
}

function requireHarmless(text: string, provider: string): void {
  const isKey = redactText(text) !== text;
  if (!isKey && !hasMachinePath(text)) return;
  const what = isKey ? 'something that looks like a key or a password' : 'an absolute path of this computer';
  throw new AppError('E_POLICY_VIOLATION', `Nothing was sent to ${provider}: the arguments hold ${what}.`, {
    hint: isKey ? 'Leave it out.' : 'Use a path relative to the folder that the program works in.',
    reason: 'provider.leak',
    details: { provider },
  });
}
