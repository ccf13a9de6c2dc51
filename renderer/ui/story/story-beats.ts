import { scanChoices } from '../../../shared/script/syntax/choices.ts';
import { type Statement, scanScene } from '../../../shared/script/syntax/scan.ts';

/** A stage direction; the text is `review:stage.<what>` with the values. */
export interface StageDirection {
  what: string;
  icon: 'background' | 'figure' | 'music' | 'sound' | 'video' | 'effect' | 'variable' | 'pause' | 'reward' | 'input';
  values: Record<string, string>;
  /** Project path of the image that is shown, or null. */
  picture: string | null;
}

export interface StoryChoice {
  label: string;
  /** Target scene or label; empty if there is none. */
  target: string;
  isScene: boolean;
  condition: string | null;
}

/** Content of one line in the story view. `speaker` is empty for narration. */
export type StoryContent =
  | { kind: 'say'; speaker: string; text: string; hasVoice: boolean }
  | { kind: 'stage'; directions: StageDirection[] }
  | { kind: 'caption'; lines: string[] }
  | { kind: 'choice'; choices: StoryChoice[] }
  | { kind: 'flow'; flow: 'scene' | 'call' | 'label' | 'jump' | 'end'; target: string }
  | { kind: 'comment'; text: string };

/** A line of a scene in the story view; it plays only if `condition` holds. */
export interface StoryLine {
  /** 1-based. */
  line: number;
  content: StoryContent;
  condition: string | null;
}

/** Converts a scene line by line; blank lines are null. Never throws, for any text. */
export function toStoryLines(text: string): (StoryLine | null)[] {
  let speaker = '';
  return scanScene(text).map((statement) => {
    if (statement.command?.name === 'say') speaker = nextSpeaker(statement, speaker);
    const content = toContent(statement, speaker);
    if (!content) return null;
    const when = statement.argument('when')?.raw;
    return { line: statement.line + 1, content, condition: when ? when : null };
  });
}

/** True for a line at which the engine waits for the player: dialogue or choice. */
export function stopsPlayer(line: string): boolean {
  const content = toStoryLines(line)[0]?.content;
  return content?.kind === 'say' || content?.kind === 'choice' || content?.kind === 'caption';
}

function nextSpeaker(statement: Statement, last: string): string {
  if (statement.argument('clear')?.value === true) return '';
  const named = statement.speaker ?? statement.argument('speaker')?.raw;
  return named === null || named === undefined ? last : named.trim();
}

function toContent(statement: Statement, speaker: string): StoryContent | null {
  const { command } = statement;
  const content = statement.content;
  if (!command) {
    const text = statement.comment;
    return text ? { kind: 'comment', text } : null;
  }
  switch (command.name) {
    case 'say': {
      const hasVoice = statement.argument('vocal') !== undefined;
      return { kind: 'say', speaker, text: toReadable(spokenText(statement)), hasVoice };
    }
    case 'choose':
      return { kind: 'choice', choices: toChoices(statement) };
    case 'intro':
      return { kind: 'caption', lines: content.split(/(?<!\\)\|/).map(toReadable) };
    case 'changeScene':
      return { kind: 'flow', flow: 'scene', target: withoutEnding(content) };
    case 'callScene':
      return { kind: 'flow', flow: 'call', target: withoutEnding(content) };
    case 'label':
      return { kind: 'flow', flow: 'label', target: content };
    case 'jumpLabel':
      return { kind: 'flow', flow: 'jump', target: content };
    case 'end':
      return { kind: 'flow', flow: 'end', target: '' };
    default:
      return { kind: 'stage', directions: [toDirection(statement, command.name, content)] };
  }
}

/** Returns the dialogue text; without a colon it is the whole line except the arguments. */
function spokenText(statement: Statement): string {
  return statement.colon < 0
    ? statement.text.slice(0, statement.argsStart).trim().replaceAll('\\;', ';')
    : statement.content;
}

function toChoices(statement: Statement): StoryChoice[] {
  return scanChoices(statement.text, statement.contentStart, statement.contentEnd).map((choice) => ({
    label: toReadable(choice.label),
    target: choice.isScene ? withoutEnding(choice.target.trim()) : choice.target.trim(),
    isScene: choice.isScene,
    condition: choice.show?.text ?? choice.enable?.text ?? null,
  }));
}

function toDirection(statement: Statement, name: string, content: string): StageDirection {
  const isNone = content === '' || content === 'none';
  const file = withoutEnding(content);
  const direction = (
    what: string,
    icon: StageDirection['icon'],
    values: Record<string, string> = {},
    folder: 'background' | 'figure' | null = null,
  ): StageDirection => ({
    what,
    icon,
    values,
    picture: folder && PICTURE.test(content) ? `game/${folder}/${content}` : null,
  });
  switch (name) {
    case 'changeBg':
      return isNone
        ? direction('backgroundOff', 'background')
        : direction('background', 'background', { file }, 'background');
    case 'changeFigure': {
      const place = figurePlace(statement);
      return isNone
        ? direction(`figureOff.${place}`, 'figure')
        : direction(`figure.${place}`, 'figure', { file }, 'figure');
    }
    case 'miniAvatar':
      return isNone ? direction('avatarOff', 'figure') : direction('avatar', 'figure', { file });
    case 'bgm':
      return isNone ? direction('musicOff', 'music') : direction('music', 'music', { file });
    case 'playEffect':
      return isNone ? direction('soundOff', 'sound') : direction('sound', 'sound', { file });
    case 'playVideo':
      return direction('video', 'video', { file });
    case 'pixiPerform':
      return direction('effect', 'effect', { name: content });
    case 'pixiInit':
      return direction('effectsOff', 'effect');
    case 'setVar':
      return direction('variable', 'variable', { expression: content.replace(/\s*=\s*/, ' = ') });
    case 'getUserInput':
      return direction('input', 'input', { name: content });
    case 'wait':
      return direction('wait', 'pause', { seconds: toSeconds(content) });
    case 'unlockCg':
    case 'unlockBgm':
      return direction('unlock', 'reward', { file: statement.argument('name')?.raw ?? file });
    case 'setAnimation':
    case 'setComplexAnimation':
      return direction('animation', 'effect', { name: content });
    case 'setTextbox':
      return direction(content === 'hide' ? 'textboxOff' : 'textbox', 'effect');
    case 'filmMode':
      return direction(isNone ? 'filmOff' : 'film', 'effect');
    default:
      return direction('other', 'effect', { statement: statement.text.slice(0, statement.end).trim() });
  }
}

/** Image paths that the page can show. Excludes URLs, so that nothing is requested from the network. */
const PICTURE = /^(?!.*:).+\.(png|jpe?g|webp|gif|avif)$/i;

function figurePlace(statement: Statement): 'left' | 'right' | 'center' | 'free' {
  for (const side of ['left', 'right'] as const) if (statement.argument(side)?.value === true) return side;
  return statement.argument('id') ? 'free' : 'center';
}

function toSeconds(milliseconds: string): string {
  const value = Number(milliseconds) / 1000;
  return Number.isFinite(value) && value >= 0 ? String(Math.round(value * 10) / 10) : '0';
}

function withoutEnding(file: string): string {
  return file.replace(/\.[a-z0-9]{2,5}$/i, '');
}

/** Returns the text as the engine shows it: escapes resolved, line breaks converted, markup removed. */
function toReadable(text: string): string {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(?<!\\)\|/g, '\n')
    .replaceAll(/\\([\\|:,;.{}])/g, '$1');
}
