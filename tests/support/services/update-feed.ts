import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Content of the feed and faults of its server. */
export interface FeedContent {
  version: string;
  /** The bytes of the new AppImage. */
  file: Buffer;
  notes?: string;
  /** Replaces the correct checksum; null omits it. */
  sha512?: string | null;
  /** Replaces the file's name, to point to another server. */
  url?: string;
  /** Closes the connection after this number of bytes of the file. */
  cutAfter?: number;
  /** Replaces the whole feed. */
  raw?: string;
  /** Redirects to this URL instead of sending the feed. */
  redirect?: string;
  /** Sends the file endlessly, regardless of the size in the feed. */
  isEndless?: boolean;
}

export interface UpdateFeed {
  url: string;
  content: FeedContent;
  requests: { path: string; headers: IncomingHttpHeaders }[];
  close(): Promise<void>;
}

const FILE_NAME = 'webgal-agent-linux-x86_64.AppImage';

/** Serves a feed on loopback like electron-builder publishes it: `latest-linux.yml` next to the file. */
export async function serveUpdateFeed(content: FeedContent): Promise<UpdateFeed> {
  const requests: UpdateFeed['requests'] = [];
  const feed = { url: '', content, requests, close };
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://feed').pathname;
    requests.push({ path: request.url ?? '', headers: request.headers });
    if (path === '/latest-linux.yml') {
      if (feed.content.redirect) response.writeHead(302, { location: feed.content.redirect }).end();
      else response.end(feed.content.raw ?? toYaml(feed.content));
      return;
    }
    if (path !== `/${FILE_NAME}`) {
      response.writeHead(404).end();
      return;
    }
    const { file, cutAfter, isEndless } = feed.content;
    if (isEndless) {
      sendForEver(response);
      return;
    }
    response.writeHead(200, { 'content-length': file.length });
    if (cutAfter === undefined) response.end(file);
    else response.write(file.subarray(0, cutAfter), () => setTimeout(() => response.socket?.destroy(), 50));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  feed.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return feed;

  function close(): Promise<void> {
    return new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }
}

function sendForEver(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024);
  const send = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', send);
  send();
}

/** Returns the feed as JSON, which is valid YAML, so strings need no extra quoting. */
function toYaml({ version, file, notes, sha512, url }: FeedContent): string {
  const sum = sha512 === undefined ? createHash('sha512').update(file).digest('base64') : sha512;
  const entry = { url: url ?? FILE_NAME, ...(sum !== null && { sha512: sum }), size: file.length };
  return JSON.stringify({
    version,
    files: [entry],
    path: entry.url,
    ...(sum !== null && { sha512: sum }),
    releaseDate: '2026-01-01T00:00:00.000Z',
    ...(notes !== undefined && { releaseNotes: notes }),
  });
}
