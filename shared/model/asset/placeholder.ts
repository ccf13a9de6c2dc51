import { z } from 'zod';
import { toWriteFault } from '../../paths/portable-name.ts';
import { ProjectPath } from '../../paths/project-path.ts';
import { AssetType, isPictureType } from './asset.ts';
import { ASSET_FOLDERS, type AssetFolder, toAssetPlaceFault } from './asset-place.ts';

/** Most placeholders of one proposal: the user looks at each. */
export const MAX_PLACEHOLDERS = 60;
/** Most files of a list that are left out by name; more are counted. */
export const MAX_LEFT_OUT = 100;

/** The types that placeholders are made in, by extension. Pictures are what a page can draw, sounds what `silence.ts` makes. */
const TYPES: Readonly<Record<string, AssetType>> = {
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', webp: 'image/webp' },
  ...{ wav: 'audio/wav', mp3: 'audio/mpeg', ogg: 'audio/ogg', oga: 'audio/ogg', opus: 'audio/ogg' },
};

/** What a placeholder stands for. `avatar`: the small portrait beside the text. */
export const PlaceholderKind = z.enum(['background', 'figure', 'avatar', 'bgm', 'vocal']);
export type PlaceholderKind = z.infer<typeof PlaceholderKind>;

/** A file that the game names and does not have, and what can stand for it. `line` is 1-based. */
export const Placeholder = z.object({
  path: ProjectPath,
  kind: PlaceholderKind,
  type: AssetType,
  script: z.string(),
  line: z.int().min(1),
});
export type Placeholder = z.infer<typeof Placeholder>;

/**
 * Why a file gets none. `name`: a name that not every system allows, or outside of the game's folders; `type`: nothing is made in this type;
 * `twin`: another one differs only in case; `there`: a file is there after all, or a folder that the game's rules close.
 */
export const PlaceholderFault = z.enum(['name', 'type', 'twin', 'there']);
export type PlaceholderFault = z.infer<typeof PlaceholderFault>;

/** A missing file without a placeholder. Its path is text of the game, and need not be one that the app allows. */
export const LeftOutAsset = z.object({
  path: z.string().max(300),
  script: z.string(),
  line: z.int().min(1),
  fault: PlaceholderFault,
});
export type LeftOutAsset = z.infer<typeof LeftOutAsset>;

/** `more`: missing files beyond both lists. */
export const PlaceholderPlan = z.object({
  files: z.array(Placeholder).max(MAX_PLACEHOLDERS),
  leftOut: z.array(LeftOutAsset).max(MAX_LEFT_OUT),
  more: z.int().min(0),
});
export type PlaceholderPlan = z.infer<typeof PlaceholderPlan>;

/** A picture for the page to draw, in this type. */
export const PlaceholderPicture = z.object({
  path: z.string(),
  kind: PlaceholderKind.extract(['background', 'figure', 'avatar']),
  type: AssetType.extract(['image/png', 'image/jpeg', 'image/webp']),
});
export type PlaceholderPicture = z.infer<typeof PlaceholderPicture>;

/** Most pictures that a page is asked for at a time: it answers within seconds. */
export const MAX_DRAWN_AT_ONCE = 6;
/** Longest picture of a page, in base64. A drawn one has less than a tenth of it. */
const MAX_DRAWN_CHARACTERS = 2_000_000;

/** A picture that the page drew; its bytes in base64. */
export const DrawnPicture = z.strictObject({ path: z.string(), data: z.string().min(1).max(MAX_DRAWN_CHARACTERS) });
export type DrawnPicture = z.infer<typeof DrawnPicture>;

/** A missing file, as scripts name it: nothing about the path is known to be safe. */
interface Missing {
  path: string;
  usedBy: string;
  script: string;
  line: number;
}

/** Decides which missing files get a placeholder: the first `MAX_PLACEHOLDERS` of those that can. Never throws. */
export function planPlaceholders({ missing, more }: { missing: readonly Missing[]; more: number }): PlaceholderPlan {
  const plan: PlaceholderPlan = { files: [], leftOut: [], more };
  const taken = new Set<string>();
  for (const { path, usedBy, script, line } of missing) {
    const made = toPlaceholder(path, usedBy);
    const key = path.normalize('NFC').toLowerCase();
    const fault = typeof made === 'string' ? made : taken.has(key) ? 'twin' : null;
    if (fault !== null) {
      if (plan.leftOut.length < MAX_LEFT_OUT) plan.leftOut.push({ path: toShown(path), script, line, fault });
      else plan.more += 1;
    } else if (typeof made !== 'string' && plan.files.length < MAX_PLACEHOLDERS) {
      taken.add(key);
      plan.files.push({ ...made, script, line });
    } else {
      plan.more += 1;
    }
  }
  return plan;
}

function toPlaceholder(
  path: string,
  usedBy: string,
): Pick<Placeholder, 'path' | 'kind' | 'type'> | Extract<PlaceholderFault, 'name' | 'type'> {
  const parsed = ProjectPath.safeParse(path);
  if (!parsed.success || toWriteFault(parsed.data) !== null) return 'name';
  const name = parsed.data.slice(parsed.data.lastIndexOf('/') + 1);
  const type = /.\.[^.]+$/.test(name) ? TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] : undefined;
  if (type === undefined) return 'type';
  const folder = toFolder(parsed.data);
  if (folder === null) return 'name';
  if (toAssetPlaceFault(parsed.data, type) !== null) return 'type';
  return { path: parsed.data, type, kind: folder === 'figure' && usedBy === 'miniAvatar' ? 'avatar' : folder };
}

function toFolder(path: string): AssetFolder | null {
  const folders = Object.keys(ASSET_FOLDERS) as AssetFolder[];
  return folders.find((folder) => path.startsWith(ASSET_FOLDERS[folder])) ?? null;
}

/** A path as it is listed: at most 300 characters, whole ones. */
const toShown = (path: string): string => path.slice(0, 300).toWellFormed();

/** The pictures among placeholders, as the page draws them. */
export function toPictures(files: readonly Placeholder[]): PlaceholderPicture[] {
  return files.flatMap((file) => {
    const picture = isPictureType(file.type) ? PlaceholderPicture.safeParse(file) : null;
    return picture?.success ? [picture.data] : [];
  });
}
