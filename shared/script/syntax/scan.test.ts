import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import ParserPackage, { ADD_NEXT_ARG_LIST, SCRIPT_CONFIG } from 'webgal-parser';
import { anyCharacter } from '../../../tests/support/any-character.ts';
import { scriptPieces } from '../../../tests/support/attacks/wild-script.ts';
import { BESIDE, titled } from '../../../tests/support/beside-repository.ts';
import { toParserSentence } from '../language-features/parser-sentence.ts';
import { HAS, scanScene } from './scan.ts';

/** The reference: the engine's own parser, with the engine's command registry and path resolution. */
const folders = ['background', 'bgm', 'figure', 'scene', 'tex', 'vocal', 'video'];
// The package is CommonJS: its class is one `default` deeper than its types declare.
const Parser = ((ParserPackage as { default?: unknown }).default ?? ParserPackage) as new (
  ...given: unknown[]
) => {
  // biome-ignore lint/suspicious/noExplicitAny: the package's own result
  parse(text: string, name: string, url: string): { sentenceList: any[] };
};
const registry = (SCRIPT_CONFIG as { scriptString: string; scriptType: number }[]).filter(
  (entry) => !['chooseLabel', 'if'].includes(entry.scriptString),
);
const parser = new Parser(
  () => {},
  (file: string, type: number) =>
    file.includes('http://') || file.includes('https://') ? file : `./game/${folders[type]}/${file}`,
  ADD_NEXT_ARG_LIST,
  registry,
);
const commandNames = new Map<number, string>([
  ...registry.map((entry) => [entry.scriptType, entry.scriptString] as const),
  [28, 'comment'],
]);

function reference(text: string) {
  return parser.parse(text, 'scene', 'scene').sentenceList.map((sentence) => ({
    command: commandNames.get(sentence.command),
    commandRaw: sentence.commandRaw,
    content: sentence.content,
    args: sentence.args,
    subScene: sentence.subScene,
    assets: sentence.sentenceAssets.map((asset: { url: string; type: number }) => ({
      name: asset.url,
      type: folders[asset.type],
    })),
    inlineComment: sentence.inlineComment,
  }));
}

const ours = (text: string) => scanScene(text).map((statement) => toParserSentence(statement, '4.5.18'));

describe('scanScene returns the same as the engine’s parser', () => {
  test('for lines made of fragments of the language', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...scriptPieces), { maxLength: 14 }), (parts) => {
        // The engine does not receive the byte order mark: the browser's decoder removes it.
        const text = parts.join('').replace(/^\ufeff+/, '');
        expect(ours(text)).toEqual(reference(text));
      }),
      // Regression: an option that consists of a colon.
      { numRuns: 4000, examples: [[['choose', ':', ':']]] },
    );
  });

  test('for arbitrary text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (raw) => {
        const text = raw.replace(/^\ufeff+/, '');
        expect(ours(text)).toEqual(reference(text));
      }),
      { numRuns: 1000 },
    );
  });
});

describe(titled('scanScene returns the same as the engine’s parser for scenes of published games', 'corpus'), () => {
  const scenes = existsSync(`${BESIDE}corpus`)
    ? readdirSync(`${BESIDE}corpus`, { recursive: true, encoding: 'utf8' }).filter((file) =>
        /[\\/]scene[\\/].*\.txt$/.test(file),
      )
    : [];

  test.skipIf(scenes.length === 0)('for every line of every scene', () => {
    for (const file of scenes) {
      const text = readFileSync(`${BESIDE}corpus/${file}`, 'utf8').replace(/^\ufeff/, '');
      expect({ file, lines: ours(text) }).toEqual({ file, lines: reference(text) });
    }
    expect(scenes.length).toBeGreaterThan(20);
  });
});

describe('Statement', () => {
  test('stores the position of every part in the original line', () => {
    const text = '\ufeffA:x;\r\nchangeFigure: 立绘\\;a.png  -left -id = 甲 -v1.wav; 注 ;dropped';
    const [, statement] = scanScene(text);
    if (!statement) throw new Error('no second statement');
    const cut = (start: number, end: number) => statement.text.slice(start, end);
    expect({
      line: statement.line,
      atOffset: text.slice(statement.offset, statement.offset + 12),
      word: statement.word,
      written: cut(statement.contentStart, statement.contentEnd),
      content: statement.content,
      comment: statement.comment,
      mask: statement.mask,
      arguments: statement.arguments.map((argument) => [
        argument.name,
        argument.value,
        cut(argument.nameStart, argument.nameEnd),
        cut(argument.valueStart, argument.valueEnd),
      ]),
    }).toEqual({
      line: 1,
      atOffset: 'changeFigure',
      word: 'changeFigure',
      written: '立绘\\;a.png',
      content: '立绘;a.png',
      comment: '注',
      mask: HAS.colon | HAS.backslash | HAS.semicolon | HAS.equals,
      arguments: [
        ['left', true, 'left', ''],
        ['id', '甲', 'id', '甲'],
        ['vocal', 'v1.wav', 'v1.wav', 'v1.wav'],
      ],
    });
  });
});
