import { createLanguageClient, type LanguageClient } from './language-client.ts';

let client: LanguageClient | null = null;

/** The page's one language service, started on first need. */
export function language(): LanguageClient {
  client ??= createLanguageClient();
  return client;
}

let feeding: Promise<unknown> = Promise.resolve();

/** Makes questions about texts wait until the service knows the game: an answer before that would be about nothing. */
export function holdQuestions(until: Promise<unknown>): void {
  // Whoever feeds it hears of a failure; questions are then answered from what it has.
  feeding = until.catch(() => undefined);
}

export async function whenFed(): Promise<void> {
  await feeding;
}
