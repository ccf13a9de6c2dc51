import { toFilePath } from '../project-index/file-names.ts';
import { CONFIG_PATH, type ProjectIndex, START_PATH } from '../project-index/project-facts.ts';
import { resolveReferences } from '../references/resolve-references.ts';
import type { Finding } from '../syntax/line-report.ts';
import { isSilenced } from './diagnose.ts';
import { diagnoseConfig } from './diagnose-config.ts';

/** Where a file is named that does not exist. */
interface FirstUse {
  /** The command or the setting that names it. */
  usedBy: string;
  /** The scene, or the settings. */
  script: string;
  /** 1-based. */
  line: number;
}

/** A picture, a sound or a video that the game names and does not have. `path`: where the engine looks for it. */
export interface MissingAsset extends FirstUse {
  path: string;
}

/**
 * Lists the files that the findings `missing-file` are about, each once, with its first use: in start.txt, then in the other scenes by path, then in
 * the settings. Leaves out what the game has silenced or switched off. Files beyond `most` are only counted, in `more`.
 */
export function findMissingAssets(index: ProjectIndex, most: number): { missing: MissingAsset[]; more: number } {
  const found = new Map<string, MissingAsset>();
  const others = new Set<string>();
  for (const { finding, ...use } of findUses(index)) {
    const { folder, file } = finding.values ?? {};
    if (finding.code !== 'missing-file' || typeof folder !== 'string' || typeof file !== 'string') continue;
    const path = toFilePath(folder.slice('game/'.length), file);
    if (found.has(path)) continue;
    if (found.size < most) found.set(path, { path, ...use });
    else others.add(path);
  }
  return { missing: [...found.values()], more: others.size };
}

/** The findings about the files that commands and settings name. */
function* findUses(index: ProjectIndex): Generator<FirstUse & { finding: Finding }> {
  if (index.severityOf('missing-file', 'error') === 'off') return;
  const scenes = [...index.scenes()].sort((one, other) => (toOrder(one.path) < toOrder(other.path) ? -1 : 1));
  for (const scene of scenes) {
    for (const [line, record] of scene.records.entries()) {
      for (const finding of resolveReferences(record, index)) {
        // A file after a word that is no command is reported, too: there the word is the mistake.
        const use = record.references?.find(({ role, start }) => role === 'asset' && start === finding.start);
        if (use === undefined || isSilenced(scene.records, line, finding.code)) continue;
        const place = scene.placeOf(line, finding.start, 'start');
        yield { finding, usedBy: use.note, script: scene.path, line: place.line + 1 };
      }
    }
  }
  for (const { finding, line } of diagnoseConfig(index)) {
    const usedBy = index.config?.find((entry) => entry.line === line)?.key ?? '';
    yield { finding, usedBy, script: CONFIG_PATH, line: line + 1 };
  }
}

/** Sorts start.txt before all others. */
const toOrder = (path: string): string => (path === START_PATH ? '' : path);
