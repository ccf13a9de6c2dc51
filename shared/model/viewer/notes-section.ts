import { toViewerSection } from './viewer-section.ts';

const START = '<!-- webgal-agent:viewer-api:start -->';
const END = '<!-- webgal-agent:viewer-api:end -->';

/** Returns the section about the viewers for the notes that other assistants read, between its markers. */
export function toNotesSection(): string {
  return [
    START,
    '## Viewer API',
    '',
    'Written by WebGAL Agent, which replaces everything between these two markers when you ask it to.',
    '',
    'While the game is open in WebGAL Agent, you can see its window and move it: with the tool `viewer_action` of the MCP server',
    '`webgal-agent mcp --project .`, or with `POST /api/viewer/action` and the body `{"actionId": "…", "params": { … }}`. Port and token are in the',
    'newest file of the folder `viewer` in the data folder of the app. Send the token as `Authorization: Bearer …`, and no `Origin`.',
    '',
    toViewerSection(),
    END,
  ].join('\n');
}

/**
 * Returns notes with the current section: replaced between its markers, or added at the end. Text outside the markers stays as it is.
 * Null if the markers are not one pair in order: what belongs to the section is unknown then.
 */
export function withNotesSection(notes: string, section = toNotesSection()): string | null {
  const starts = notes.split(START).length - 1;
  const ends = notes.split(END).length - 1;
  const isCrlf = /\r\n/.test(notes);
  const lines = isCrlf ? section.replaceAll('\n', '\r\n') : section;
  if (starts === 0 && ends === 0) {
    const newline = isCrlf ? '\r\n' : '\n';
    const gap = notes === '' ? '' : notes.endsWith('\n') ? newline : newline + newline;
    return `${notes}${gap}${lines}${newline}`;
  }
  const from = notes.indexOf(START);
  const to = notes.indexOf(END);
  if (starts !== 1 || ends !== 1 || to < from) return null;
  return notes.slice(0, from) + lines + notes.slice(to + END.length);
}
