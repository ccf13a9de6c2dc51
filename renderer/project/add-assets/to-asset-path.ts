import { type Asset, isPictureType } from '../../../shared/model/asset/asset.ts';
import {
  ASSET_FOLDERS,
  type AssetFolder,
  toAssetFolders,
  withAssetExtension,
} from '../../../shared/model/asset/asset-place.ts';
import { toNameFault, toWriteFault, withoutUnseen } from '../../../shared/paths/portable-name.ts';

/** Longest name without its extension, in characters: file systems allow 255 bytes, and a character can take 3 of them. */
const MAX_STEM = 80;
/** What no name may contain everywhere, and what has a meaning in a line of a script or in an address. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among what names cannot have
const UNUSABLE = /[\u0000-\u001f\u007f-\u009f<>:;"|?*#%/\\{}\u2028\u2029\u202a-\u202e\u2066-\u2069]+| +-|~(?=\d)/g;

interface Place {
  /** The kind of the list that the file is added to: its folder if that takes the type, else one that suits the file. */
  shown: string;
  /** True for the path of another file that is added. */
  isTaken: (path: string) => boolean;
}

/**
 * Returns the project path for a picture or a sound of the user: its own name without what a script cannot write, with the extension
 * that says what the bytes are, and with a number if the path is taken.
 */
export function toAssetPath(name: string, asset: Pick<Asset, 'type' | 'width' | 'height'>, place: Place): string {
  const folder = toAssetFolders(asset.type).find((each) => each === place.shown) ?? toFolder(asset);
  const named = withAssetExtension(name, asset.type);
  const dot = named.lastIndexOf('.');
  const fallback = isPictureType(asset.type) ? 'picture' : 'sound';
  const usable = toUsable(named.slice(0, dot)) || fallback;
  const toPath = (number: number) => {
    const whole = `${usable}${number > 1 ? `_${number}` : ''}${named.slice(dot)}`;
    const isAllowed = toNameFault(whole) === null && toWriteFault(whole) === null;
    return ASSET_FOLDERS[folder] + (isAllowed ? whole : `${fallback}_${whole}`);
  };
  let number = 1;
  while (place.isTaken(toPath(number))) number += 1;
  return toPath(number);
}

function toUsable(stem: string): string {
  // Without characters that are not seen: two names would look the same.
  const seen = withoutUnseen(stem.toWellFormed().normalize('NFC'));
  const usable = seen.replace(UNUSABLE, '_').slice(0, MAX_STEM).toWellFormed();
  return usable.replace(/^[.\s]+|[.\s]+$/g, '');
}

/** A picture that is wider than high is a background, as a rule. */
function toFolder({ type, width = 0, height = 0 }: Pick<Asset, 'type' | 'width' | 'height'>): AssetFolder {
  if (!isPictureType(type)) return 'bgm';
  return width > height ? 'background' : 'figure';
}
