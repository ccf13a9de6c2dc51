/** The script language's id in Monaco. */
export const WEBGAL = 'webgal';
