/**
 * True for a name that the engine cannot load: it asks for a file by its name as an address, in which # ends the path and % begins a
 * code. Seen on WebGAL 4.5.18 for scenes, pictures and sounds.
 */
export function isMisreadAsAddress(name: string): boolean {
  return /[#%]/.test(name);
}
