import manifest from '../package.json' with { type: 'json' };

/** The app's version, as package.json says. */
export const APP_VERSION: string = manifest.version;
