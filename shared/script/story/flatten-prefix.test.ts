import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanScene } from '../syntax/scan.ts';
import { flattenPrefix } from './flatten-prefix.ts';
import { findSteps, toStageText, toStandingLine } from './stage-text.ts';
import { findStoryPath } from './story-path.ts';
import { findStoryWay } from './story-way.ts';

/** The scene with each line before `line` (1-based) as it is sent to the engine, or as a comment. */
function flatten(lines: string[], line: number): string[] {
  const statements = scanScene(lines.join('\n'));
  const target = Math.min(line, statements.length) - 1;
  const way = findStoryWay([{ path: '', statements, target, picks: new Map() }]);
  const prefix = flattenPrefix(way, { statement: statements[target], line: target + 1 });
  return statements.map(({ text, isComment, command }, index) => {
    if (index >= target || isComment || command?.name === 'label') return text;
    return prefix.find((each) => each.line === index + 1)?.text ?? `;${text}`;
  });
}

const word = fc.constantFrom('changeBg', 'changeFigure', 'say', '雪乃', 'label', 'jumpLabel', 'choose', 'setTransform');
const other = fc.constantFrom('intro', 'wait', 'end', 'setVar', 'callScene', 'pixiInit', 'setTextbox', 'unknown', '');
const tail = fc.constantFrom('', ' -next', ' -next=false', ' -concat', ' -when=a', ';', '; note', ' -v1.ogg', '\r');
const line = fc.oneof(
  fc
    .tuple(fc.oneof(word, other), fc.constantFrom(':', '：', '', ': '), fc.string({ maxLength: 8 }), tail)
    .map((parts) => parts.join('').replaceAll('\n', '')),
  fc.string({ maxLength: 20 }).map((text) => text.replaceAll('\n', '')),
);

describe('flattenPrefix', () => {
  it('keeps lasting effects, makes them pass without waiting, and turns the rest into comments', () => {
    const scene = [
      'changeBg:beach.webp -enter=fade;',
      'bgm:sea.mp3;',
      'intro:long ago|far away;',
      'changeFigure:yuki.webp -left -next;',
      'setVar:love=love+1;',
      'wait:5000;',
      'playEffect:knock.ogg;',
      'playEffect:rain.ogg -id=rain;',
      '',
      '; a note',
      'setTextbox;',
      'getUserInput:name;',
      'callScene:other.txt;',
      'Yuki:here;',
    ];
    expect(flatten(scene, 14)).toEqual([
      'changeBg:beach.webp -next -duration=1 -enter=fade;',
      'bgm:sea.mp3;',
      ';intro:long ago|far away;',
      'changeFigure:yuki.webp -duration=1 -left -next;',
      'setVar:love=love+1;',
      ';wait:5000;',
      ';playEffect:knock.ogg;',
      'playEffect:rain.ogg -id=rain;',
      '',
      '; a note',
      'setTextbox:setTextbox -next',
      ';getUserInput:name;',
      ';callScene:other.txt;',
      'Yuki:here;',
    ]);
  });

  it('keeps the line that names the speaker when the line itself does not', () => {
    expect(flatten(['Yuki:one -v1.ogg;', 'two;', 'three;'], 3)).toEqual(['Yuki:one -next', ';two;', 'three;']);
    expect(flatten(['Yuki:one;', 'Aki:two;'], 2)).toEqual([';Yuki:one;', 'Aki:two;']);
    expect(flatten(['say:one -speaker=Yuki;', 'two;'], 2)).toEqual(['say:one -next -speaker=Yuki', 'two;']);
  });

  it('keeps the text in the text box across other statements', () => {
    expect(flatten(['Yuki:one;', 'Aki:two -notend;', 'and -concat;', 'changeBg:x.png;'], 4)).toEqual([
      ';Yuki:one;',
      'Aki:two -next',
      'and -next -concat',
      'changeBg:x.png;',
    ]);
  });

  it('does not rely on a line that may not have been displayed', () => {
    expect(flatten(['Yuki:one;', 'Aki:two -when=a>1;', 'three;'], 3)).toEqual([
      'Yuki:one -next',
      'Aki:two -next -when=a>1',
      'three;',
    ]);
  });

  it('overrides an argument of the same name, of which the engine reads the first', () => {
    expect(flatten(['changeBg:x.png -next=false;', 'A:b;'], 2)[0]).toBe(
      'changeBg:x.png -next -duration=1 -next=false;',
    );
  });

  it('omits the branch that does not lead to the line', () => {
    const scene = [
      'choose:stay:stay|go:go;',
      'label:stay;',
      'changeBg:room.png;',
      'jumpLabel:after;',
      'label:go;',
      'changeBg:street.png;',
      'Yuki:out here;',
      'label:after;',
      'Yuki:well;',
    ];
    expect(flatten(scene, 7)).toEqual([
      ';choose:stay:stay|go:go;',
      'label:stay;',
      ';changeBg:room.png;',
      ';jumpLabel:after;',
      'label:go;',
      'changeBg:street.png -next -duration=1;',
      'Yuki:out here;',
      'label:after;',
      'Yuki:well;',
    ]);
    // Where branches join, one of them counts: the first option.
    expect(flatten(scene, 9).slice(0, 7)).toEqual([
      ';choose:stay:stay|go:go;',
      'label:stay;',
      'changeBg:room.png -next -duration=1;',
      ';jumpLabel:after;',
      'label:go;',
      ';changeBg:street.png;',
      ';Yuki:out here;',
    ]);
  });

  it('prefers continuing to a jump that may not happen', () => {
    const scene = ['jumpLabel:skip -when=a>1;', 'changeBg:x.png;', 'label:skip;', 'A:b;'];
    expect(flatten(scene, 4)[1]).toBe('changeBg:x.png -next -duration=1;');
  });

  it('keeps a scene as written when no path leads to the line', () => {
    expect(flatten(['changeBg:x.png;', 'end;', 'changeFigure:y.png;', 'A:b;'], 4)).toEqual([
      'changeBg:x.png -next -duration=1;',
      ';end;',
      'changeFigure:y.png -next -duration=1;',
      'A:b;',
    ]);
  });

  it('accepts lines past the end', () => {
    expect(toStageText('A:b\r\nwait:1\r\nC:d\r\n', 99).text).toBe('C:d -next\n');
    expect(toStageText('', 3).text).toBe('');
  });

  it('leaves no waiting line before the target', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 40 }), fc.nat(40), (lines, offset) => {
        const { text, engineLine } = toStageText(lines.join('\n'), (offset % lines.length) + 1);
        const before = scanScene(text).slice(0, engineLine - 1);
        expect(before.filter((statement) => !statement.isNext).map((statement) => statement.text)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('handles a long scene with many branches', () => {
    const lines = Array.from({ length: 6000 }, (_, index) =>
      index % 6 === 0
        ? `label:l${index};`
        : index % 6 === 3
          ? `jumpLabel:l${index + 9} -when=a>1;`
          : `A:line ${index};`,
    );
    expect(flatten(lines, 5999).length).toBe(6000);
  });

  it('searches no path through more than 2,000 runs of lines', () => {
    const scene = (labels: number) =>
      scanScene(Array.from({ length: labels }, (_, index) => `label:l${index};\njumpLabel:l${index + 1};`).join('\n'));
    expect(findStoryPath(scene(2_000), 3_999)).toMatchObject({ forks: [] });
    expect(findStoryPath(scene(2_001), 4_001)).toBe('too-long');
  });
});

describe('toStageText', () => {
  it('lets a loop play the original text', () => {
    const scene = 'label:menu;\nA:again?\nchoose:yes:menu|no:out;\nlabel:out;\nB:bye;';
    const { text, engineLine, toLine } = toStageText(scene, 3);
    expect(engineLine).toBe(2);
    expect(text.split('\n')).toEqual([
      'A:again? -next',
      'choose:yes:menu|no:out;',
      'label:out;',
      'B:bye;',
      'jumpLabel:__stage_end;',
      ...scene.split('\n'),
      'label:__stage_end;',
    ]);
    expect([0, 1, 2, 4, 5, 6, 7, 10, 11].map(toLine)).toEqual([1, 2, 3, 5, 5, 1, 2, 5, 5]);
  });

  it('appends nothing when the story cannot jump back', () => {
    expect(toStageText('label:a;\nA:b;\njumpLabel:c;\nlabel:c;\nC:d;', 2).text.split('\n').length).toBe(4);
  });

  it('includes only lines with a lasting effect, and maps each back to its line', () => {
    const scene = ['; note', 'changeBg:a.png;', '', 'Yuki:one;', 'label:x;', 'bgm:b.mp3;', 'Yuki:two;', 'Yuki:three;'];
    const { text, engineLine, toLine } = toStageText(scene.join('\n'), 7);
    expect(text.split('\n')).toEqual(['changeBg:a.png -next -duration=1;', 'bgm:b.mp3;', 'Yuki:two;', 'Yuki:three;']);
    expect(engineLine).toBe(3);
    expect([0, 1, 2, 3, 4, 5].map(toLine)).toEqual([1, 5, 6, 7, 8, 8]);
    expect(toStageText(scene.join('\n'), 0).engineLine).toBe(0);
  });

  it('stops at the requested line in any scene', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), fc.nat(40), (lines, offset) => {
        const asked = (offset % lines.length) + 1;
        const { text, engineLine, toLine } = toStageText(lines.join('\n'), asked);
        expect(text.split('\n')[engineLine - 1]).toBe(lines[asked - 1]);
        expect(toLine(engineLine)).toBe(asked);
      }),
    );
  });
});

describe('findSteps', () => {
  const statements = scanScene('A:one;\nchangeBg:x.png -next;\n; note\nB:two;\njumpLabel:a;\nchoose:a:a;');

  it('returns the nearest lines at which the player stops', () => {
    expect(findSteps(statements, 1)).toEqual({ previous: null, next: 4 });
    expect(findSteps(statements, 3)).toEqual({ previous: 1, next: 4 });
    expect(findSteps(statements, 4)).toEqual({ previous: 1, next: 6 });
    expect(findSteps(statements, 99)).toEqual({ previous: 6, next: null });
  });
});

describe('toStandingLine', () => {
  const scene = (...lines: string[]) => scanScene(lines.join('\n'));

  it('returns the line itself when the story stays in the scene', () => {
    const statements = scene('A:one;', 'bgm:x.mp3;', 'B:two;', 'jumpLabel:a;');
    expect([1, 2, 3, 4].map((line) => toStandingLine(statements, line))).toEqual([1, 2, 3, 4]);
    expect(toStandingLine(statements, 9)).toBe(4);
  });

  it('returns an earlier stop when the story would leave the scene', () => {
    const statements = scene('A:one;', 'bgm:none;', '', 'changeScene:b.txt;', 'B:two;', 'end;');
    expect([1, 2, 3, 4, 5, 6].map((line) => toStandingLine(statements, line))).toEqual([1, 1, 1, 1, 5, 5]);
    expect(toStandingLine(scene('bgm:x.mp3;', 'callScene:b.txt;'), 2)).toBe(0);
  });
});
