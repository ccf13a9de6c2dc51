import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What stands in the feed, and how its server misbehaves. */
export interface FeedContent {
  version: string;
  /** The bytes of the new AppImage. */
  file: Buffer;
  notes?: string;
  /** In place of the right checksum; null leaves it out. */
  sha512?: string | null;
  /** In place of the file's name: a feed that points elsewhere. */
  url?: string;
  /** Ends the connection after this many bytes of the file. */
  cutAfter?: number;
  /** In place of the whole feed. */
  raw?: string;
  /** Sends on to another server instead of answering with the feed. */
  redirect?: string;
  /** Goes on sending the file for ever, whatever size the feed names. */
  isEndless?: boolean;
}

export interface UpdateFeed {
  url: string;
  content: FeedContent;
  requests: { path: string; headers: IncomingHttpHeaders }[];
  close(): Promise<void>;
}

const FILE_NAME = 'webgal-agent-linux-x86_64.AppImage';

/** A feed on loopback as electron-builder publishes it: `latest-linux.yml` beside the file. */
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

/** JSON is YAML, so strings need no quoting of their own. */
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
