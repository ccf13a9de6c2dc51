import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VIEWER_ACTION_IDS } from '../viewer.ts';
import { toNotesSection, withNotesSection } from './notes-section.ts';

const START = '<!-- webgal-agent:viewer-api:start -->';
const END = '<!-- webgal-agent:viewer-api:end -->';

describe('the section of the notes', () => {
  it('names every action between its markers', () => {
    const section = toNotesSection();
    expect(section.startsWith(START) && section.endsWith(END)).toBe(true);
    for (const id of VIEWER_ACTION_IDS) expect(section).toContain(`- ${id}`);
  });

  it('is added at the end once, and then replaced', () => {
    const first = withNotesSection('# Mine\n');
    expect(first).toBe(`# Mine\n\n${toNotesSection()}\n`);
    expect(withNotesSection(first ?? '')).toBe(first);
    expect(withNotesSection('')).toBe(`${toNotesSection()}\n`);
  });

  it('leaves all text outside the markers as it is', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((part) => !part.includes('webgal-agent'));
    fc.assert(
      fc.property(text, text, text, (before, old, after) => {
        const notes = `${before}${START}${old}${END}${after}`;
        const changed = withNotesSection(notes, `${START}new${END}`);
        expect(changed).toBe(`${before}${START}new${END}${after}`);
      }),
    );
  });

  it('has the line endings of the notes', () => {
    expect(withNotesSection('a\r\n')?.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it.each([START, END, `${END}${START}`, `${START}${START}${END}`, `${START}${END}${END}`])(
    'changes nothing where the markers are damaged: %s',
    (notes) => expect(withNotesSection(notes)).toBeNull(),
  );
});
