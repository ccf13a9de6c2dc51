/**
 * The rules of every frame in which a game runs, since its files are untrusted: it cannot navigate or open other windows, sends no
 * address of the app, and gets the focus only from the user. Its storage lasts as long as the page and is not shared.
 */
export const GAME_FRAME = {
  sandbox: 'allow-scripts allow-same-origin',
  allow: "autoplay; focus-without-user-activation 'none'",
  referrerPolicy: 'no-referrer',
  credentialless: true,
} as const;

/** Returns the address of the engine's page, with the language of its own interface. */
export function toGameAddress(url: string, language: string): string {
  return `${url}?lang=${encodeURIComponent(language)}`;
}
