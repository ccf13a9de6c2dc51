import { release } from 'node:os';
import open from 'open';
import { AppError } from '../../../shared/errors.ts';
import { readSystemLocale } from '../../../shared/model/local-text.ts';
import type { Host } from '../../core/ports/host.ts';
import { assertLink, assertSignInPage } from '../../network/allowed-addresses.ts';

/** Creates the web host's functions: no folder dialog; links open in the system's browser. */
export function createWebHost(): Host {
  return {
    kind: 'web',
    capture: null,
    platform: process.platform,
    systemLocale: readSystemLocale(),
    isSafeMode: false,
    // Failures are printed in the terminal, so there are no log lines.
    details: async () => ({
      versions: { Node: process.versions.node, System: `${process.platform} ${release()} ${process.arch}` },
      log: [],
    }),
    restart: null,
    pickFolder: null,
    async openLink(url) {
      assertLink(url);
      await openInBrowser(url);
    },
    async openSignInPage(url) {
      assertSignInPage(url);
      await openInBrowser(url);
    },
  };
}

/** Opens the system's browser. Throws `E_UNSUPPORTED` with reason `host.noBrowser` if there is none. */
export async function openInBrowser(url: string): Promise<void> {
  const fail = (cause: unknown) =>
    new AppError('E_UNSUPPORTED', 'No browser could be opened.', { reason: 'host.noBrowser', cause });
  let child: Awaited<ReturnType<typeof open>>;
  try {
    child = await open(url);
  } catch (cause) {
    throw fail(cause);
  }
  // A missing program is reported only after the start.
  await new Promise<void>((resolve, reject) => {
    child.once('error', (cause) => reject(fail(cause)));
    child.once('spawn', () => resolve());
    if (child.pid !== undefined) resolve();
  });
}
