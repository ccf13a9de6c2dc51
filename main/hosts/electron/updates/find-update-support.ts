import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { UpdateSupport } from '../../../../shared/model/updates.ts';

interface Installation {
  isPackaged: boolean;
  platform: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Path of the running program. */
  program: string;
  /** The app's name, as the Windows installer uses it. */
  name: string;
}

/**
 * Returns whether this copy of the app can replace itself: an AppImage in a writable folder, a copy that the Windows installer
 * created, a macOS app that does not run from its disk image. Every other package is updated by the user.
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

/** True if the file can be replaced. It is replaced by a rename, so its folder must be writable. */
function canReplace(file: string | undefined): boolean {
  if (file === undefined || !isAbsolute(file)) return false;
  try {
    const target = realpathSync(file);
    accessSync(target, constants.R_OK);
    accessSync(dirname(target), constants.W_OK);
    return true;
  } catch {
    // Deleted, or not writable for this user.
    return false;
  }
}
