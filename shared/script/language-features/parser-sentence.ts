import { isEngineAtLeast } from '../engine/engine-version.ts';
import { undoSemicolons } from '../syntax/characters.ts';
import { scanChoices } from '../syntax/choices.ts';
import type { Statement } from '../syntax/scan.ts';

/** A statement in the output format of the engine's own parser, for differential tests. */
export interface ParserSentence {
  command: string;
  commandRaw: string;
  content: string;
  args: { key: string; value: string | number | boolean }[];
  subScene: string[];
  assets: { name: string; type: string }[];
  inlineComment: string;
}

/** Converts a statement to what the engine's parser returns. Used by the formatter and by differential tests. */
export function toParserSentence(statement: Statement, engineVersion: string): ParserSentence {
  const { command } = statement;
  if (command === null) {
    return {
      command: 'comment',
      commandRaw: 'comment',
      content: statement.comment,
      args: [{ key: 'next', value: true }],
      subScene: [],
      assets: [],
      inlineComment: '',
    };
  }
  const args: ParserSentence['args'] = [];
  const speaker = statement.speaker;
  if (speaker !== null) args.push({ key: 'speaker', value: speaker });
  if (command.autoNext) args.push({ key: 'next', value: true });
  for (const argument of statement.arguments) {
    const isFile = argument.isVoice || (argument.name === 'vocal' && isEngineAtLeast(engineVersion, '4.6.1'));
    args.push({
      key: argument.name,
      value: isFile && typeof argument.value === 'string' ? inFolder('vocal', argument.value) : argument.value,
    });
  }
  const content = resolveContent(statement);
  return {
    command: command.name,
    commandRaw: undoSemicolons(statement.word).trim(),
    content,
    args,
    subScene: subScenes(command.name, content),
    assets: assets(command.name, content, args),
    inlineComment: statement.comment,
  };
}

function inFolder(folder: string, file: string): string {
  return file.includes('http://') || file.includes('https://') ? file : `./game/${folder}/${file}`;
}

function resolveContent(statement: Statement): string {
  const content = statement.content;
  if (content === 'none' || content === '') return '';
  const kind = statement.command?.content;
  if (kind?.kind === 'asset' || kind?.kind === 'scene') return inFolder(kind.folder, content);
  if (kind?.kind !== 'choices') return content;
  return scanChoices(content, 0, content.length)
    .map((choice) => {
      const target = content.slice(choice.targetStart, choice.droppedStart < 0 ? choice.end : choice.droppedStart);
      // An empty target may still have its colon, which is not part of the label.
      const hasColon = /(?<!\\):$/.test(content.slice(choice.from, choice.targetStart));
      const firstColon = hasColon ? choice.targetStart - 1 : choice.end;
      const key = content.slice(choice.from, firstColon);
      return `${key}:${target.includes('.') ? inFolder('scene', target) : target}`;
    })
    .join('|');
}

function subScenes(command: string, content: string): string[] {
  if (command === 'changeScene' || command === 'callScene') return [content];
  if (command !== 'choose') return [];
  return content
    .split('|')
    .map((option) => option.split(':')[1] ?? '')
    .filter((target) => target.includes('.'));
}

const PREFETCHED = new Map([
  ['changeBg', 'background'],
  ['changeFigure', 'figure'],
  ['miniAvatar', 'figure'],
  ['playVideo', 'video'],
  ['bgm', 'bgm'],
]);

function assets(command: string, content: string, args: ParserSentence['args']): ParserSentence['assets'] {
  const found: ParserSentence['assets'] = [];
  if (command === 'say') {
    for (const { key, value } of args) if (key === 'vocal') found.push({ name: value as string, type: 'vocal' });
  }
  const type = PREFETCHED.get(command);
  if (type !== undefined && content !== '') found.push({ name: content, type });
  return found;
}
