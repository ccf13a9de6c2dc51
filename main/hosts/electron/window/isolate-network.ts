import type { Session } from 'electron';
import { createPageRule, DICTIONARY_HOSTS, toStagePort } from '../../../network/allowed-addresses.ts';
import { PAGE_ORIGIN } from '../page-protocol.ts';

/** By default, Chromium bypasses the proxy for every loopback address. */
const NO_LOOPBACK = '<-loopback>';

/** The network isolation of the page's session. */
export interface NetworkWall {
  /** Allows or blocks the dictionary server. Allowed while spell check is on. */
  admitDictionaries(isAdmitted: boolean): Promise<void>;
}

/**
 * Blocks all network access of the page's session except the bundle and the stages of this run. The page needs no network: models
 * are called from the main process over another session. Requests are filtered one by one. Traffic that is not a request (DNS
 * prefetch, preconnect, WebRTC over TCP) goes to a proxy: the stage server, which refuses every other host. So no name is
 * resolved and no other program on this machine is reached.
 */
export async function isolateNetwork(session: Session, stageSource: string): Promise<NetworkWall> {
  const isAllowed = createPageRule(PAGE_ORIGIN, stageSource);
  let hasDictionaries = false;
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isAllowed(url, { hasDictionaries }) }));
  const port = toStagePort(stageSource);
  const setProxy = (...admitted: string[]): Promise<void> =>
    session.setProxy({
      mode: 'fixed_servers',
      proxyRules: `http://127.0.0.1:${port}`,
      proxyBypassRules: [NO_LOOPBACK, `*.localhost:${port}`, ...admitted].join(';'),
    });
  await setProxy();
  return {
    async admitDictionaries(isAdmitted) {
      if (isAdmitted === hasDictionaries) return;
      hasDictionaries = isAdmitted;
      await setProxy(...(isAdmitted ? [DICTIONARY_HOSTS] : []));
    },
  };
}
