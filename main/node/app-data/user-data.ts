import { homedir } from 'node:os';
import path from 'node:path';

export interface UserPlaces {
  /** Settings, recent games, the secret that names folders. The app's alone. */
  data: string;
  home: string;
  /** The folder the app puts games of hers in. */
  documents: string;
}

function toDataFolder(environment: NodeJS.ProcessEnv, home: string, platform: NodeJS.Platform): string {
  if (environment.WEBGAL_AGENT_HOME) return path.resolve(environment.WEBGAL_AGENT_HOME);
  if (platform === 'win32') {
    return path.join(environment.APPDATA || path.join(home, 'AppData', 'Roaming'), 'WebGAL Agent');
  }
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'WebGAL Agent');
  const config = environment.XDG_CONFIG_HOME;
  // The XDG rules say to ignore a relative path here.
  return path.join(config && path.isAbsolute(config) ? config : path.join(home, '.config'), 'webgal-agent');
}

/**
 * The app's folders on this machine. `WEBGAL_AGENT_HOME` moves the app's data (a portable install, a test);
 * `WEBGAL_AGENT_DOCUMENTS` moves the place for games of hers, which is `WebGAL Agent` in her home folder otherwise.
 */
export function findUserPlaces(
  environment: NodeJS.ProcessEnv = process.env,
  home: string = homedir(),
  platform: NodeJS.Platform = process.platform,
): UserPlaces {
  return {
    data: toDataFolder(environment, home, platform),
    home,
    documents: environment.WEBGAL_AGENT_DOCUMENTS
      ? path.resolve(environment.WEBGAL_AGENT_DOCUMENTS)
      : path.join(home, 'WebGAL Agent'),
  };
}
