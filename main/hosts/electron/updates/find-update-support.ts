import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { UpdateSupport } from '../../../../shared/model/updates.ts';

interface Installation {
  isPackaged: boolean;
  platform: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** The program that runs. */
  program: string;
  /** The app's name, as the Windows installer uses it. */
  name: string;
}

/**
 * Finds out whether this copy of the app can replace itself: an AppImage in a folder that can be written, a copy that the
 * Windows installer made, a macOS app that does not run from its disk image. Every other package is updated by hand.
 */
export function findUpdateSupport({ isPackaged, platform, environment, program, name }: Installation): UpdateSupport {
  if (!isPackaged) return 'none';
  switch (platform) {
    case 'linux':
      return canReplace(environment.APPIMAGE) ? 'self' : 'byHand';
    case 'win32': {
      if (environment.PORTABLE_EXECUTABLE_FILE) return 'byHand';
      return existsSync(join(dirname(program), `Uninstall ${name}.exe`)) ? 'self' : 'byHand';
    }
    case 'darwin':
      return program.startsWith('/Volumes/') || program.includes('/AppTranslocation/') ? 'byHand' : 'self';
    default:
      return 'byHand';
  }
}

/** The file is replaced by a rename, so it is its folder that has to be writable. */
function canReplace(file: string | undefined): boolean {
  if (file === undefined || !isAbsolute(file)) return false;
  try {
    const target = realpathSync(file);
    accessSync(target, constants.R_OK);
    accessSync(dirname(target), constants.W_OK);
    return true;
  } catch {
    // Gone, or not this user's to write.
    return false;
  }
}
