import type { ProjectIndex } from '../../../../shared/script/project-index/project-facts.ts';
import { Statement } from '../../../../shared/script/syntax/scan.ts';
import type { Coverage } from './coverage.ts';

/** Commands that put a file in the game's gallery. */
const UNLOCKS: ReadonlySet<string> = new Set(['unlockCg', 'unlockBgm']);

/**
 * Returns the files that played lines put in the gallery and that do not exist. An engine asks for them when a player opens the gallery,
 * which a playtest does not.
 */
export function findMissingGalleryFiles(index: ProjectIndex, coverage: Pick<Coverage, 'isPlayed'>): Set<string> {
  const missing = new Set<string>();
  if (!index.files.isKnown) return missing;
  for (const { path, records } of index.scenes()) {
    for (const [line, { command, text }] of records.entries()) {
      if (command?.content.kind !== 'asset' || !UNLOCKS.has(command.name) || !coverage.isPlayed(path, line)) continue;
      const { folder } = command.content;
      const name = new Statement(text, line, 0).content.trim();
      if (name === '' || /[{}]|:\/\//.test(name) || index.files.hasInFolder(folder, name)) continue;
      missing.add(`game/${folder}/${name}`);
    }
  }
  return missing;
}
