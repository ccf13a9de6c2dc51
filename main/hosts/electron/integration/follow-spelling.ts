import { app, type Session } from 'electron';
import type { LiveSettings } from '../live-settings.ts';
import type { NetworkWall } from '../window/isolate-network.ts';

/**
 * Stops Chromium from downloading a dictionary by default. Call in the same turn of the event loop in which the session is
 * created: each session requests the dictionary of the system's language immediately.
 */
export function withholdDictionaries(session: Session): void {
  if (process.platform !== 'darwin') session.setSpellCheckerLanguages([]);
  session.setSpellCheckerEnabled(false);
}

/**
 * Checks spelling in text fields while the user has switched it on. Off by default: except on macOS, Chromium downloads its
 * dictionaries, and nothing is downloaded without the user's consent.
 */
export function followSpelling(session: Session, settings: LiveSettings, wall: NetworkWall): void {
  settings.follow(async ({ spellCheck }) => {
    await wall.admitDictionaries(spellCheck && process.platform !== 'darwin');
    if (!spellCheck) return withholdDictionaries(session);
    // macOS has its own dictionaries and detects the language.
    if (process.platform !== 'darwin') session.setSpellCheckerLanguages(toLanguages(session));
    session.setSpellCheckerEnabled(true);
  });
}

/** Returns English and, if a dictionary exists, the system's language. There is none for Chinese and Japanese. */
function toLanguages({ availableSpellCheckerLanguages: available }: Session): string[] {
  const system = app.getLocale();
  const nearest = available.find((each) => each === system) ?? available.find((each) => each === system.split('-')[0]);
  const english = available.includes('en-US') ? ['en-US'] : [];
  return [...new Set([...(nearest === undefined ? [] : [nearest]), ...english])];
}
