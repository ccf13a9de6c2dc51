import path from 'node:path';
import { writeDurably } from '../files/durable-file.ts';
import { toIoError } from '../files/io-error.ts';
import { AGENT_FOLDER, type AgentFolder } from '../project-fs/agent-folder.ts';

const PART = 'screenshots';

/** The screenshots of pages, in the app's own folder of the game. */
export interface ScreenshotFolder {
  /** Saves a picture, replaces one of the same name, and returns its path. `name` is a bare file name. */
  save(name: string, picture: Uint8Array): Promise<string>;
}

export function createScreenshotFolder(folder: AgentFolder): ScreenshotFolder {
  return {
    async save(name, picture) {
      const place = `${AGENT_FOLDER}/${PART}/${name}`;
      try {
        await writeDurably(path.join(await folder.make(PART), name), picture);
        return place;
      } catch (error) {
        throw toIoError(error, place);
      }
    },
  };
}
