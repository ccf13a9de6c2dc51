import { stat } from 'node:fs/promises';
import path from 'node:path';

/** Names a browser in another place. */
export const BROWSER_VARIABLE = 'WEBGAL_AGENT_BROWSER';

const LINUX = [
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/microsoft-edge-stable',
  '/usr/bin/microsoft-edge',
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
];
const MAC = [
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'Chromium.app/Contents/MacOS/Chromium',
];
const WINDOWS = [
  ['Google', 'Chrome', 'Application', 'chrome.exe'],
  ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
  ['Chromium', 'Application', 'chrome.exe'],
];

/**
 * Returns the browser to use: the one named in the variable, else the first one found in the usual places of
 * installation.
 */
export async function findBrowser(environment: Readonly<Record<string, string | undefined>>): Promise<string | null> {
  const named = environment[BROWSER_VARIABLE];
  for (const place of named ? [named] : toUsualPlaces(environment)) {
    const found = await stat(place).catch(() => null);
    if (found?.isFile()) return place;
  }
  return null;
}

function toUsualPlaces(environment: Readonly<Record<string, string | undefined>>): string[] {
  if (process.platform === 'darwin') {
    const folders = ['/Applications', ...(environment.HOME ? [`${environment.HOME}/Applications`] : [])];
    return folders.flatMap((folder) => MAC.map((app) => `${folder}/${app}`));
  }
  if (process.platform === 'win32') {
    const { ProgramFiles, LOCALAPPDATA } = environment;
    const folders = [ProgramFiles, environment['ProgramFiles(x86)'], LOCALAPPDATA].filter(
      (folder) => folder !== undefined,
    );
    return folders.flatMap((folder) => WINDOWS.map((names) => path.join(folder, ...names)));
  }
  return LINUX;
}
