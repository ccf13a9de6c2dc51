import type { WebContents, WebFrameMain } from 'electron';
import { PAGE_ORIGIN } from './page-protocol.ts';

/**
 * True for a message from the window's own top frame while it shows the app's page. The stage runs the game's scripts in a
 * child frame.
 */
export function isFromPage(
  page: WebContents,
  { sender, senderFrame }: { sender: WebContents; senderFrame: WebFrameMain | null },
): boolean {
  return sender === page && senderFrame !== null && senderFrame === page.mainFrame && isPageUrl(senderFrame.url);
}

function isPageUrl(url: string): boolean {
  return url === PAGE_ORIGIN || url.startsWith(`${PAGE_ORIGIN}/`);
}
