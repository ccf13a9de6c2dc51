import { createLanguageClient, type LanguageClient } from './language-client.ts';

let client: LanguageClient | null = null;

/** Returns the page's only language service, started lazily. */
export function language(): LanguageClient {
  client ??= createLanguageClient();
  return client;
}

let feeding: Promise<unknown> = Promise.resolve();

/** Delays queries about texts until the service has the game's texts. */
export function holdQuestions(until: Promise<unknown>): void {
  // The sender handles failures; queries are then answered from the texts that were sent.
  feeding = until.catch(() => undefined);
}

export async function whenFed(): Promise<void> {
  await feeding;
}
