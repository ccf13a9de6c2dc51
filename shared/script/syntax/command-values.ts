/** Easing curves; the engine silently replaces any other name by `easeInOut`. */
export const EASES = [
  'linear',
  'easeIn',
  'easeOut',
  'easeInOut',
  'circIn',
  'circOut',
  'circInOut',
  'backIn',
  'backOut',
  'backInOut',
  'bounceIn',
  'bounceOut',
  'bounceInOut',
  'anticipate',
] as const;

export const BLEND_MODES = ['normal', 'add', 'multiply', 'screen'] as const;
export const FONT_SIZES = ['small', 'medium', 'large', 'default'] as const;
export const INTRO_ANIMATIONS = ['fadeIn', 'slideIn', 'typingEffect', 'pixelateEffect', 'revealAnimation'] as const;
export const EFFECTS = ['rain', 'snow', 'heavySnow', 'cherryBlossoms'] as const;
export const COMPLEX_ANIMATIONS = ['universalSoftIn', 'universalSoftOff', 'testblur'] as const;

/** Keys of a transform. `scale` and `position` hold `{x, y}`; the rest are numbers. */
export const TRANSFORM_KEYS = [
  'alpha',
  'scale',
  'position',
  'rotation',
  'blur',
  'brightness',
  'contrast',
  'saturation',
  'gamma',
  'colorRed',
  'colorGreen',
  'colorBlue',
  'bevel',
  'bevelThickness',
  'bevelRotation',
  'bevelSoftness',
  'bevelRed',
  'bevelGreen',
  'bevelBlue',
  'bloom',
  'bloomBrightness',
  'bloomBlur',
  'bloomThreshold',
  'oldFilm',
  'dotFilm',
  'reflectionFilm',
  'glitchFilm',
  'rgbFilm',
  'godrayFilm',
  'shockwaveFilter',
  'radiusAlphaFilter',
] as const;

/** Transform keys that appear in documentation and have no effect, with the working key. */
export const MISNAMED_TRANSFORM_KEYS: ReadonlyMap<string, string> = new Map([
  ['shockwave', 'shockwaveFilter'],
  ['radiusAlpha', 'radiusAlphaFilter'],
]);

/** File extensions by media type. Lower case, without the dot. */
export const FILE_ENDINGS = {
  image: ['png', 'jpg', 'jpeg', 'webp', 'gif', 'svg', 'bmp', 'avif', 'apng', 'ico'],
  sound: ['mp3', 'ogg', 'wav', 'm4a', 'flac', 'aac', 'opus', 'webm', 'weba'],
  video: ['mp4', 'webm', 'mkv', 'mov', 'ogv', 'm4v', 'flv', 'avi'],
  model: ['json', 'skel'],
  scene: ['txt'],
} as const;

/** Folders below `game/` that commands read files from. */
export type AssetFolder = 'background' | 'figure' | 'bgm' | 'vocal' | 'video' | 'scene';

/** Extensions that the commands of a folder can show or play; null: any. */
export const FOLDER_ENDINGS: Readonly<Record<AssetFolder, readonly string[] | null>> = {
  background: [...FILE_ENDINGS.image, 'mp4', 'webm', 'mkv', 'skel'],
  figure: [...FILE_ENDINGS.image, ...FILE_ENDINGS.model],
  bgm: [...FILE_ENDINGS.sound, 'mp4'],
  vocal: [...FILE_ENDINGS.sound, 'mp4'],
  video: FILE_ENDINGS.video,
  scene: null,
};
