import { app, type Session } from 'electron';
import type { LiveSettings } from '../live-settings.ts';
import type { NetworkWall } from '../window/isolate-network.ts';

/**
 * Stops Chromium from downloading a dictionary by itself. Call it in the same turn in which the session is first named:
 * each session asks for the system's language as soon as it exists.
 */
export function withholdDictionaries(session: Session): void {
  if (process.platform !== 'darwin') session.setSpellCheckerLanguages([]);
  session.setSpellCheckerEnabled(false);
}

/**
 * Checks the spelling in text fields when the user has asked for it. Off by default: except on macOS, Chromium downloads
 * its dictionaries, and nothing is fetched without the user's word.
 */
export function followSpelling(session: Session, settings: LiveSettings, wall: NetworkWall): void {
  settings.follow(async ({ spellCheck }) => {
    await wall.admitDictionaries(spellCheck && process.platform !== 'darwin');
    if (!spellCheck) return withholdDictionaries(session);
    // macOS has dictionaries of its own and finds the language by itself.
    if (process.platform !== 'darwin') session.setSpellCheckerLanguages(toLanguages(session));
    session.setSpellCheckerEnabled(true);
  });
}

/** English, and the system's language where there is a dictionary; there is none for Chinese and Japanese. */
function toLanguages({ availableSpellCheckerLanguages: available }: Session): string[] {
  const system = app.getLocale();
  const nearest = available.find((each) => each === system) ?? available.find((each) => each === system.split('-')[0]);
  const english = available.includes('en-US') ? ['en-US'] : [];
  return [...new Set([...(nearest === undefined ? [] : [nearest]), ...english])];
}
