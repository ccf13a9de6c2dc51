import { AppError } from '../../../../shared/errors.ts';
import { NOTE_FILES } from '../../../../shared/model/story-bible.ts';
import type { Reader } from '../../ports/reader.ts';

/** The model is given this much of each file at the beginning, in characters; it reads the rest on request. */
const NOTE_LIMIT = 8000;

/** A file of the game with wishes for the writing or the plan of the story. */
export interface GameNote {
  file: string;
  text: string;
  /** Set when the file is longer. */
  rest?: string;
}

/** Reads the notes beside the story bible: AGENTS.md and the first outline there is. Unreadable files are left out. */
export async function readGameNotes(reader: Reader): Promise<GameNote[]> {
  const notes: GameNote[] = [];
  for (const names of NOTE_FILES) {
    for (const file of names) {
      const note = await readNote(reader, file);
      if (note === null) continue;
      notes.push(note);
      break;
    }
  }
  return notes;
}

async function readNote(reader: Reader, file: string): Promise<GameNote | null> {
  try {
    const { text } = await reader.read(file);
    if (text.trim() === '') return null;
    if (text.length <= NOTE_LIMIT) return { file, text };
    const shown = text.slice(0, NOTE_LIMIT).toWellFormed();
    const lines = shown.split('\n').length;
    return { file, text: shown, rest: `${text.length - NOTE_LIMIT} more characters: read_file with offset ${lines}` };
  } catch (error) {
    // Missing, a link or not text: the assistant works without it.
    if (error instanceof AppError) return null;
    throw error;
  }
}
