import { readFile, stat } from 'node:fs/promises';
import { ProviderDescription } from '../../shared/model/capability/provider-frames.ts';
import { toVisibleText } from '../../shared/text/shown-text.ts';
import { findOfferProblems } from '../compose-capability-check.ts';
import type { CapabilityCheckCommand } from './read-capabilities.ts';

/** Larger than any description that the gateway accepts. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_PROBLEMS = 50;

/** Checks a file with what a provider offers against the rules of the gateway. Exit code 0: it is accepted; 1: it is not. */
export async function runCapabilityCheck({
  file,
  format,
}: CapabilityCheckCommand): Promise<{ output: string; problem: string; exitCode: number }> {
  const problems = await findProblems(file);
  const exitCode = problems.length === 0 ? 0 : 1;
  if (format === 'json')
    return { output: `${JSON.stringify({ valid: exitCode === 0, problems })}\n`, problem: '', exitCode };
  const lines = problems.map((problem) => `${toVisibleText(problem)}\n`).join('');
  return exitCode === 0 ? { output: 'valid\n', problem: '', exitCode } : { output: '', problem: lines, exitCode };
}

async function findProblems(file: string): Promise<string[]> {
  let value: unknown;
  try {
    if ((await stat(file)).size > MAX_BYTES) return [`The file is larger than ${MAX_BYTES} bytes.`];
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    return [error instanceof SyntaxError ? `The file is no valid JSON: ${error.message}` : 'The file cannot be read.'];
  }
  const parsed = ProviderDescription.safeParse(value);
  if (!parsed.success) return parsed.error.issues.slice(0, MAX_PROBLEMS).map(toSentence);
  return findOfferProblems(parsed.data);
}

function toSentence({ path, message }: { path: readonly PropertyKey[]; message: string }): string {
  return `${path.map(String).join('.') || 'description'}: ${message}`;
}
