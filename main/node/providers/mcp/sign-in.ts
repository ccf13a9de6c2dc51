import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { AppError } from '../../../../shared/errors.ts';
import { toNamedAddress } from '../../../network/allowed-addresses.ts';
import { createServiceFetch } from '../../../network/requests.ts';
import type { ProviderSecrets } from '../provider-secrets.ts';
import { withMessageBounds } from './message-bounds.ts';
import { createSignInFetch } from './sign-in-fetch.ts';

/** Milliseconds that the user has to sign in. */
const SIGN_IN_MS = 300_000;
const CALLBACK = '/signed-in';

/** The service wants the user to sign in. */
export class SignInNeeded extends Error {}

/** `undefined` removes what is stored. */
interface Kept {
  client?: OAuthClientInformationMixed | undefined;
  tokens?: OAuthTokens | undefined;
}

const NO_CLIENT: Kept = { client: undefined };
const NO_TOKENS: Kept = { tokens: undefined };

/** What is stored of a signed-in service: the registration of this app and its tokens, for one address. */
export interface Tokens {
  read(): Promise<Kept>;
  keep(change: Kept): Promise<void>;
}

export function createTokens(secrets: ProviderSecrets, id: string, url: string): Tokens {
  const account = `sign-in:${id}`;
  const read = async (): Promise<Kept> => {
    const { kept } = await secrets.get(account, url);
    return kept === undefined ? {} : (JSON.parse(kept) as Kept);
  };
  return {
    read,
    keep: async (change) => secrets.set(account, url, { kept: JSON.stringify({ ...(await read()), ...change }) }),
  };
}

/** Returns what the transport needs to send and renew stored tokens; a new sign-in is refused with `SignInNeeded`. */
export function toAuthProvider(tokens: Tokens): OAuthClientProvider {
  return createAuthProvider(tokens, 'http://127.0.0.1/', () => {
    throw new SignInNeeded();
  });
}

/** A sign-in that the user has begun. */
export interface SignIn {
  /** The page of the service. */
  address: string;
  close(): void;
}

/**
 * Begins to sign in: registers the app with the service and waits on this machine for the answer of its page. `done` is called when tokens
 * were stored. Throws `E_IO` with reason `provider.signIn` if the service does not offer it.
 */
export async function beginSignIn(
  url: string,
  { tokens, done }: { tokens: Tokens; done: () => void },
): Promise<SignIn> {
  let page: URL | null = null;
  const state = randomBytes(24).toString('base64url');
  const fetchFn = createSignInFetch(withMessageBounds(createServiceFetch(url, {})));
  const { server, redirect, close } = await listen((answer) => finish(answer));
  const provider = createAuthProvider(tokens, redirect, (address) => {
    page = address;
  });
  const withState: OAuthClientProvider = { ...provider, state: () => state };

  async function finish(answer: URLSearchParams): Promise<boolean> {
    const code = answer.get('code');
    if (answer.get('state') !== state || code === null) return false;
    const result = await auth(withState, { serverUrl: url, authorizationCode: code, fetchFn });
    close();
    if (result === 'AUTHORIZED') done();
    return result === 'AUTHORIZED';
  }

  try {
    // A registration belongs to one address of the answer.
    await tokens.keep({ ...NO_CLIENT, ...NO_TOKENS });
    await auth(withState, { serverUrl: url, fetchFn });
    if (page === null) throw new Error('The service named no page.');
    server.unref();
    return { address: toNamedAddress(String(page), url), close };
  } catch (error) {
    close();
    throw new AppError('E_IO', 'The service does not let this app sign in.', {
      details: { said: toSaid(error) },
      reason: 'provider.signIn',
      cause: error,
    });
  }
}

function toSaid(error: unknown): string {
  // The SDK checks what the service says of its sign-in, and lists each fault as JSON.
  if (error instanceof Error && error.name === 'ZodError') return 'What it says about signing in is not valid.';
  return error instanceof Error ? error.message.slice(0, 300) : '';
}

function createAuthProvider(tokens: Tokens, redirect: string, toPage: (address: URL) => void): OAuthClientProvider {
  let verifier = '';
  return {
    redirectUrl: redirect,
    clientMetadata: {
      client_name: 'WebGAL Agent',
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: async () => (await tokens.read()).client,
    saveClientInformation: (client) => tokens.keep({ client }),
    tokens: async () => (await tokens.read()).tokens,
    saveTokens: (kept) => tokens.keep({ tokens: kept }),
    redirectToAuthorization: (address) => toPage(address),
    // Without it a token that cannot be renewed is tried again, and no sign-in is asked for.
    async invalidateCredentials(scope) {
      if (scope === 'all' || scope === 'client') await tokens.keep(NO_CLIENT);
      if (scope === 'all' || scope === 'tokens') await tokens.keep(NO_TOKENS);
    },
    saveCodeVerifier(text) {
      verifier = text;
    },
    codeVerifier: () => verifier,
  };
}

/** Waits on a free loopback port for one answer of the service's page. */
async function listen(
  finish: (answer: URLSearchParams) => Promise<boolean>,
): Promise<{ server: Server; redirect: string; close: () => void }> {
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '/', 'http://127.0.0.1');
    if (request.method !== 'GET' || url?.pathname !== CALLBACK) {
      response.writeHead(404).end();
      return;
    }
    void finish(url.searchParams)
      .catch(() => false)
      .then((isDone) => {
        response.writeHead(isDone ? 200 : 400, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
        response.end(isDone ? 'WebGAL Agent: OK ✓' : 'WebGAL Agent: ✗');
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const timer = setTimeout(() => server.close(), SIGN_IN_MS).unref();
  const close = () => {
    clearTimeout(timer);
    server.close();
  };
  return { server, redirect: `http://127.0.0.1:${port}${CALLBACK}`, close };
}
