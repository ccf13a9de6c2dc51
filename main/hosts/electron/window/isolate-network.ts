import type { Session } from 'electron';
import { PAGE_ORIGIN } from '../page-protocol.ts';

/** A proxy that is not there: the discard port of this machine. */
const NOWHERE = 'http://127.0.0.1:9';

/**
 * Matches every address of a stage of this run. `stageSource` is `http://*.localhost:<port>`; sockets of the stage have the
 * same host.
 */
export function toStagePattern(stageSource: string): RegExp {
  const port = /^http:\/\/\*\.localhost:(\d+)$/.exec(stageSource)?.[1];
  if (port === undefined) throw new Error(`Not a source of stages: ${stageSource}`);
  return new RegExp(`^(http|ws)://stage-[0-9a-f]+\\.localhost:${port}/`);
}

/** Where Chromium downloads its dictionaries from. */
const DICTIONARIES = /^https:\/\/([\w-]+\.)+gvt1\.com\//;
const DICTIONARY_HOSTS = '*.gvt1.com';
const STAGE_HOSTS = '*.localhost';

/** The wall around the page's session. */
export interface NetworkWall {
  /** Lets the session reach the dictionaries' server, for as long as the user has spell check on. */
  admitDictionaries(isAdmitted: boolean): Promise<void>;
}

/**
 * Closes the page's session to everything but the bundle and the stages of this run. The page needs no network: models are
 * called from the main process over another session. Requests are filtered one by one; what is no request (a look-up or a
 * connection made ahead, WebRTC) goes to a proxy that is not there, so that no name is even resolved.
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
  const setProxy = (proxyBypassRules: string): Promise<void> =>
    session.setProxy({ mode: 'fixed_servers', proxyRules: NOWHERE, proxyBypassRules });
  await setProxy(STAGE_HOSTS);
  return {
    async admitDictionaries(isAdmitted) {
      if (isAdmitted === hasDictionaries) return;
      hasDictionaries = isAdmitted;
      await setProxy(isAdmitted ? `${STAGE_HOSTS};${DICTIONARY_HOSTS}` : STAGE_HOSTS);
    },
  };
}
