/** The script language's name inside Monaco. */
export const WEBGAL = 'webgal';
