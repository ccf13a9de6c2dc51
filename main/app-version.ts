import manifest from '../package.json' with { type: 'json' };

/** The app's version from package.json. */
export const APP_VERSION: string = manifest.version;
