import type { ProjectIndex } from '../project-index/project-facts.ts';
import { countWords } from '../story/outline.ts';
import { Statement } from '../syntax/scan.ts';

/** A hint after a line, 1-based; `column` is after its last character. */
export interface LineHint {
  line: number;
  column: number;
  /**
   * `words`: of this line. `section`: of the section that begins here, at the scene's start or a label. `voice`: a
   * speaker's line without a voice file.
   */
  kind: 'words' | 'section' | 'voice';
  /** Words, each wide character counting as one; 0 for `voice`. */
  count: number;
}

/** Requested hints and lines (1-based, both ends inclusive). */
export interface HintRequest {
  first: number;
  last: number;
  words: boolean;
  voices: boolean;
}

/** The hints for a range of lines of a scene, sorted by line. */
export function hintsOf(index: ProjectIndex, path: string, request: HintRequest): LineHint[] {
  const hints: LineHint[] = [];
  const isShown = (line: number) => line >= request.first && line <= request.last;
  const records = index.scene(path)?.records ?? [];
  let section: LineHint = { line: 1, column: (records[0]?.text.length ?? 0) + 1, kind: 'section', count: 0 };
  const close = () => {
    if (request.words && section.count > 0 && isShown(section.line)) hints.push(section);
  };
  for (const [at, { command, text, speaker }] of records.entries()) {
    if (command === null) continue;
    const line = at + 1;
    const column = text.length + 1;
    if (command.name === 'label') {
      close();
      section = { line, column, kind: 'section', count: 0 };
    }
    const isDialogue = command.name === 'say';
    if (!isDialogue && command.name !== 'intro') continue;
    const statement = new Statement(text, at, 0);
    const count = request.words ? countWords(statement.content.replace(/\]\([^)]*\)/g, ' ')) : 0;
    section.count += count;
    if (!isShown(line)) continue;
    if (count > 0) hints.push({ line, column, kind: 'words', count });
    const isSpoken = isDialogue && speaker !== null && speaker !== '';
    const hasVoice = () => statement.arguments.some(({ name }) => name === 'vocal');
    if (request.voices && isSpoken && !hasVoice()) hints.push({ line, column, kind: 'voice', count: 0 });
  }
  close();
  return hints.sort((one, other) => one.line - other.line);
}
