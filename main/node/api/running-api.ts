import { z } from 'zod';
import { AppError } from '../../../shared/errors.ts';
import { CapabilityResponse } from '../../../shared/model/capability/capability-response.ts';
import { fetchFromLoopback, postToLoopback } from '../../network/requests.ts';
import { isAlive } from '../files/process-start.ts';
import { type ApiFile, readApiFile } from './api-file.ts';
import { createChallenge, GREETING_PATH, isProof, toProof } from './api-greeting.ts';

/** How long a running app may take to say that it is there. */
const ANSWERS_WITHIN_MS = 3000;
/** Of what listens there, before it is known to be the app. */
const MAX_GREETING_CHARACTERS = 10_000;

const Greeting = z.object({ proof: z.string() });

/** Asks the discovery API of a running app. Rejects with `E_IO` if the connection ends first. */
export interface RunningApi {
  /** `path`: with its query. `body`: sent as JSON, with POST. */
  ask(path: string, body: unknown, signal: AbortSignal): Promise<CapabilityResponse>;
}

/**
 * Finds the running app with its discovery API on. `off`: there is none. `stale`: the file is one that an app left, is damaged, or
 * something else answers at its address.
 */
export async function findRunningApi(folder: string): Promise<RunningApi | 'off' | 'stale'> {
  const file = await readApiFile(folder);
  if (file === null) return 'off';
  if (file === 'damaged' || !isAlive(file.process) || !(await greets(file))) return 'stale';
  return {
    async ask(path, body, signal) {
      let answer: unknown;
      try {
        answer = await (await send(file, path, { body, signal })).json();
      } catch (cause) {
        throw new AppError('E_IO', 'The app ended, or its connection broke, before it answered.', {
          hint: 'Look in the app whether it was done.',
          cause,
        });
      }
      const response = CapabilityResponse.safeParse(answer);
      if (response.success) return response.data;
      throw new AppError('E_IO', 'The app answered in a form that is not understood.', {
        hint: 'Use the command of the same version as the app.',
      });
    },
  };
}

function send(
  { url, token }: ApiFile,
  path: string,
  { body, signal }: { body?: unknown; signal: AbortSignal },
): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` };
  if (body === undefined) return fetchFromLoopback(`${url}${path}`, signal, headers);
  return postToLoopback(`${url}${path}`, { headers, body: JSON.stringify(body), signal });
}

/** True if what listens there proves that it knows the token, which is not sent for that. */
async function greets({ url, token }: ApiFile): Promise<boolean> {
  const challenge = createChallenge();
  const expected = toProof(challenge, { port: Number(new URL(url).port), token });
  const address = `${url}${GREETING_PATH}?challenge=${challenge}`;
  try {
    const response = await fetchFromLoopback(address, AbortSignal.timeout(ANSWERS_WITHIN_MS));
    let text = '';
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      if (text.length > MAX_GREETING_CHARACTERS) return false;
    }
    return expected !== null && isProof(Greeting.parse(JSON.parse(text)).proof, expected);
  } catch {
    return false;
  }
}
