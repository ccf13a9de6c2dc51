import { expect, test } from 'vitest';
import { EVENT_IDS } from '../../main/core/capability/events/event-catalog.ts';
import words from '../../shared/i18n/en/page/capabilities.json' with { type: 'json' };

/** Returns the ids below a level of the catalogue; an event is a level with a name. */
function listIds(level: object, prefix: string): string[] {
  if ('name' in level) return [prefix];
  return Object.entries(level).flatMap(([key, value]) => listIds(value as object, prefix ? `${prefix}.${key}` : key));
}

test('the page has words of its own for exactly the events that there are', () => {
  expect(listIds(words.list.events, '').sort()).toEqual([...EVENT_IDS].sort());
});
