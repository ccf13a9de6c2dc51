import { AppError } from '../../../shared/errors.ts';
import { type Asset, toAssetText } from '../../../shared/model/asset/asset.ts';
import {
  type LeftOutAsset,
  MAX_DRAWN_AT_ONCE,
  type Placeholder,
  type PlaceholderPlan,
  planPlaceholders,
  toPictures,
} from '../../../shared/model/asset/placeholder.ts';
import { findMissingAssets } from '../../../shared/script/diagnostics/missing-assets.ts';
import type { ProjectIndex } from '../../../shared/script/project-index/project-facts.ts';
import type { Reader } from '../ports/reader.ts';
import type { Assets } from '../ports/stores/assets.ts';
import type { Painter } from '../ports/viewer/painter.ts';
import { requireAssetPlace } from './require-asset-place.ts';
import { toSilence } from './silence.ts';

/** Files that are looked at: more than those that can be made and those that are left out by name. */
const MAX_MISSING = 2000;

/** Decides what stands for the files that the game names and does not have. */
export function toPlaceholderPlan(index: ProjectIndex): PlaceholderPlan {
  return planPlaceholders(findMissingAssets(index, MAX_MISSING));
}

export interface MakerPorts {
  reader: Pick<Reader, 'stat'>;
  assets: Pick<Assets, 'add'>;
  painter: Painter;
}

/** A kept placeholder, and the line that stands for it in a draft of a new file. */
export interface MadePlaceholder {
  path: string;
  asset: Asset;
  text: string;
}

/**
 * Makes and keeps the files of a plan: sounds here, pictures by the page, whose bytes are checked as those of any other program. What cannot be made
 * is left out, as is a file that is there meanwhile. Throws `E_NOT_FOUND` (`placeholders.none`) when nothing is left, and what the page and
 * the store throw.
 */
export async function makePlaceholders(
  plan: PlaceholderPlan,
  ports: MakerPorts,
  signal: AbortSignal,
): Promise<{ made: MadePlaceholder[]; leftOut: LeftOutAsset[] }> {
  const leftOut = [...plan.leftOut];
  const leave = ({ path, script, line }: Placeholder, fault: LeftOutAsset['fault']) =>
    leftOut.push({ path, script, line, fault });
  const files: Placeholder[] = [];
  for (const file of plan.files) {
    if (await isFree(ports.reader, file.path)) files.push(file);
    else leave(file, 'there');
  }
  const drawn = await drawAll(files, ports.painter, signal);
  const made: MadePlaceholder[] = [];
  for (const file of files) {
    const data = toSilence(file.type) ?? drawn.get(file.path);
    if (data === undefined) {
      leave(file, 'type');
      continue;
    }
    const asset = await ports.assets.add(data);
    requireAssetPlace(file.path, asset.type);
    made.push({ path: file.path, asset, text: toAssetText(asset) });
  }
  if (made.length === 0) throw toNone(leftOut.length);
  return { made, leftOut };
}

/** False for a path where something is, and in a folder that is closed to the caller. */
async function isFree(reader: Pick<Reader, 'stat'>, path: string): Promise<boolean> {
  try {
    return (await reader.stat(path)) === null;
  } catch {
    return false;
  }
}

async function drawAll(
  files: readonly Placeholder[],
  painter: Painter,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const pictures = toPictures(files);
  const drawn = new Map<string, string>();
  for (let at = 0; at < pictures.length; at += MAX_DRAWN_AT_ONCE) {
    const some = await painter.draw(pictures.slice(at, at + MAX_DRAWN_AT_ONCE), signal);
    for (const { path, data } of some) drawn.set(path, data);
  }
  return drawn;
}

function toNone(leftOut: number): AppError {
  return leftOut === 0
    ? new AppError('E_NOT_FOUND', 'The game has every picture and sound that it names.', {
        hint: 'There is nothing to do.',
        reason: 'placeholders.none',
      })
    : new AppError('E_UNSUPPORTED', 'For none of the missing files a placeholder can be made.', {
        details: { count: leftOut },
        hint: 'Placeholders are PNG, JPEG, WebP, MP3, OGG or WAV files with a name that every system allows.',
        reason: 'placeholders.cannot',
      });
}
