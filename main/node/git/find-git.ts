import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';

/** On a Mac this program only offers to install the developer tools, unless one of the folders exists. */
const MAC_STUB = '/usr/bin/git';
const MAC_TOOLS = ['/Library/Developer/CommandLineTools/usr/bin/git', '/Applications/Xcode.app/Contents/Developer'];

/**
 * Returns the absolute path of the installed Git, or null. Windows would look for a program in the folder it is started in
 * first, which is the game's, so the path is resolved here.
 */
export async function findGit(environment: Readonly<Record<string, string>>): Promise<string | null> {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  for (const folder of (environment.PATH ?? '').split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue;
    const program = path.join(folder, name);
    if ((await isProgram(program)) && (await isReal(program))) return program;
  }
  return null;
}

async function isProgram(program: string): Promise<boolean> {
  try {
    await access(program, constants.X_OK);
    return (await stat(program)).isFile();
  } catch {
    return false;
  }
}

async function isReal(program: string): Promise<boolean> {
  if (process.platform !== 'darwin' || program !== MAC_STUB) return true;
  const found = await Promise.all(
    MAC_TOOLS.map((tool) =>
      access(tool).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
