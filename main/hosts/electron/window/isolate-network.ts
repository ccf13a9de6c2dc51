import type { Session } from 'electron';
import { PAGE_ORIGIN } from '../page-protocol.ts';

/**
 * Returns a pattern for every URL of a stage of this run. `stageSource` is `http://*.localhost:<port>`; WebSockets of the stage
 * have the same host.
 */
export function toStagePattern(stageSource: string): RegExp {
  return new RegExp(`^(http|ws)://stage-[0-9a-f]+\\.localhost:${toStagePort(stageSource)}/`);
}

function toStagePort(stageSource: string): string {
  const port = /^http:\/\/\*\.localhost:(\d+)$/.exec(stageSource)?.[1];
  if (port === undefined) throw new Error(`Not a source of stages: ${stageSource}`);
  return port;
}

/** The server of Chromium's dictionaries. */
const DICTIONARIES = /^https:\/\/([\w-]+\.)+gvt1\.com\//;
const DICTIONARY_HOSTS = '*.gvt1.com';
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
  const stage = toStagePattern(stageSource);
  let hasDictionaries = false;
  const isOwn = (url: string): boolean =>
    url.startsWith(`${PAGE_ORIGIN}/`) || url.startsWith(`blob:${PAGE_ORIGIN}/`) || /^(data|devtools):/.test(url);
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    const isAdmitted = isOwn(url) || stage.test(url) || (hasDictionaries && DICTIONARIES.test(url));
    answer({ cancel: !isAdmitted });
  });
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
