import { homedir } from 'node:os';
import path from 'node:path';

export interface UserFolders {
  /** Settings, recent games and the key of folder ids; used only by the app. */
  data: string;
  home: string;
  /** The folder for games that the app creates. */
  documents: string;
}

function toDataFolder(environment: NodeJS.ProcessEnv, home: string, platform: NodeJS.Platform): string {
  if (environment.WEBGAL_AGENT_HOME) return path.resolve(environment.WEBGAL_AGENT_HOME);
  if (platform === 'win32') {
    return path.join(environment.APPDATA || path.join(home, 'AppData', 'Roaming'), 'WebGAL Agent');
  }
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'WebGAL Agent');
  const config = environment.XDG_CONFIG_HOME;
  // The XDG specification says to ignore a relative path here.
  return path.join(config && path.isAbsolute(config) ? config : path.join(home, '.config'), 'webgal-agent');
}

/**
 * Returns the app's folders on this machine. `WEBGAL_AGENT_HOME` moves the app's data (a portable install, a test);
 * `WEBGAL_AGENT_DOCUMENTS` moves the folder of the user's games, by default `WebGAL Agent` in the home folder.
 */
export function findUserFolders(
  environment: NodeJS.ProcessEnv = process.env,
  home: string = homedir(),
  platform: NodeJS.Platform = process.platform,
): UserFolders {
  return {
    data: toDataFolder(environment, home, platform),
    home,
    documents: environment.WEBGAL_AGENT_DOCUMENTS
      ? path.resolve(environment.WEBGAL_AGENT_DOCUMENTS)
      : path.join(home, 'WebGAL Agent'),
  };
}
