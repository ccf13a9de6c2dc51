import type { Prompt } from '@modelcontextprotocol/sdk/types.js';
import type { Locale, LocalText } from '../../../shared/model/text.ts';

interface Job {
  name: string;
  title: LocalText;
  description: LocalText;
  arguments: { name: string; description: LocalText; required: boolean }[];
  /** Returns the prompt's text for the given arguments. */
  words(given: Readonly<Record<string, string>>): LocalText;
}

const SCENE = {
  name: 'scene',
  description: { 'zh-CN': '场景文件，如 start.txt', en: 'The scene file, such as start.txt' },
  required: true,
};

const JOBS: readonly Job[] = [
  {
    name: 'write_scene',
    title: { 'zh-CN': '写一个新场景', en: 'Write a new scene' },
    description: {
      'zh-CN': '按你的想法写一个场景，并接到故事里。',
      en: 'Writes a scene from your idea and joins it to the story.',
    },
    arguments: [
      { name: 'idea', description: { 'zh-CN': '发生什么', en: 'What happens in it' }, required: true },
      { name: 'after', description: { 'zh-CN': '接在哪个场景后面', en: 'Which scene it follows' }, required: false },
    ],
    words: ({ idea = '', after }) => ({
      'zh-CN': `请为这个 WebGAL 游戏写一个新场景：${idea}\n${after ? `它接在 ${after} 后面。\n` : ''}先用 list_project_resources 看有哪些背景、立绘和音乐，只用已有的文件；读一两个现有场景，照着它们的语气和写法。用 write_to_file 写入（先 dryRun），再用 validate_script 检查并改好错误，最后用 preview_scene 播放。`,
      en: `Write a new scene for this WebGAL game: ${idea}\n${after ? `It follows ${after}.\n` : ''}First see with list_project_resources which backgrounds, figures and music there are and use no others; read a scene or two and keep their tone and manner. Write it with write_to_file (dryRun first), check it with validate_script and mend the errors, then play it with preview_scene.`,
    }),
  },
  {
    name: 'check_game',
    title: { 'zh-CN': '检查整个游戏', en: 'Check the whole game' },
    description: {
      'zh-CN': '找出会让游戏出错的地方，并说明怎么改。',
      en: 'Finds what would go wrong in the game and says how to fix it.',
    },
    arguments: [],
    words: () => ({
      'zh-CN':
        '请用 read_lints 检查整个游戏，按场景列出错误和警告，用平常的话解释每一个会怎样影响玩家、该怎么改。先不要改动文件。',
      en: 'Check the whole game with read_lints. List errors and warnings by scene, and say in plain words how each would show to a player and how to fix it. Change no files yet.',
    }),
  },
  {
    name: 'proofread_scene',
    title: { 'zh-CN': '校对一个场景', en: 'Proofread a scene' },
    description: {
      'zh-CN': '改正错字和标点，不动剧情和指令。',
      en: 'Corrects spelling and punctuation and leaves story and commands alone.',
    },
    arguments: [SCENE],
    words: ({ scene = '' }) => ({
      'zh-CN': `请校对 game/scene/${scene}：只改错字、标点和不通顺的句子，不动剧情、人物口吻、指令和参数。用 replace_in_file 一处一处地改，最后用 validate_script 检查。`,
      en: `Proofread game/scene/${scene}: correct spelling, punctuation and clumsy sentences only; leave the story, the voices, commands and their arguments alone. Change it place by place with replace_in_file, then check it with validate_script.`,
    }),
  },
  {
    name: 'add_choice',
    title: { 'zh-CN': '加一个选择', en: 'Add a choice' },
    description: {
      'zh-CN': '在一个场景里加上分支，每一支都有去处。',
      en: 'Adds a branch to a scene; each option leads somewhere.',
    },
    arguments: [
      SCENE,
      { name: 'options', description: { 'zh-CN': '有哪些选项', en: 'What can be chosen' }, required: true },
    ],
    words: ({ scene = '', options = '' }) => ({
      'zh-CN': `请在 game/scene/${scene} 里合适的地方加一个选择，选项是：${options}\n每个选项都要有去处（标签或新场景），最后回到原来的故事。改完用 validate_script 检查，再用 preview_scene 播放。`,
      en: `Add a choice at a fitting place in game/scene/${scene}. The options: ${options}\nEach must lead somewhere (a label or a new scene) and come back to the story. Check it with validate_script, then play it with preview_scene.`,
    }),
  },
  {
    name: 'translate_scene',
    title: { 'zh-CN': '翻译一个场景', en: 'Translate a scene' },
    description: {
      'zh-CN': '把一个场景译成另一种语言，存成新文件。',
      en: 'Translates a scene into another language, as a file of its own.',
    },
    arguments: [
      SCENE,
      { name: 'language', description: { 'zh-CN': '译成什么语言', en: 'Into which language' }, required: true },
    ],
    words: ({ scene = '', language = '' }) => ({
      'zh-CN': `请把 game/scene/${scene} 译成${language}，写到同一文件夹里的新文件。只译对话、旁白和选项的文字；指令、参数、文件名、标签和变量名保持原样，行数与原文一致。译完用 validate_script 检查。`,
      en: `Translate game/scene/${scene} into ${language}, into a new file in the same folder. Translate only what is said, told and chosen; keep commands, arguments, file names, labels and variables as they are, line for line. Check it with validate_script.`,
    }),
  },
  {
    name: 'undo_change',
    title: { 'zh-CN': '撤销改动', en: 'Take back a change' },
    description: { 'zh-CN': '把一个场景恢复到以前的样子。', en: 'Brings a scene back to an earlier text.' },
    arguments: [SCENE],
    words: ({ scene = '' }) => ({
      'zh-CN': `请用 list_snapshots 列出 game/scene/${scene} 以前的文字，告诉我每一份和现在有什么不同。我选定以后，用 restore_snapshot 取出它，再用 write_to_file 写回（先 dryRun）。`,
      en: `List the earlier texts of game/scene/${scene} with list_snapshots and tell me how each differs from the one now. Once I have chosen, fetch it with restore_snapshot and write it back with write_to_file (dryRun first).`,
    }),
  },
];

export function listPrompts(locale: Locale): Prompt[] {
  return JOBS.map((job) => ({
    name: job.name,
    title: job.title[locale],
    description: job.description[locale],
    arguments: job.arguments.map(({ name, description, required }) => ({
      name,
      description: description[locale],
      required,
    })),
  }));
}

/** Returns a prompt's text. Null if no prompt has that name; the names of missing arguments if there are any. */
export function findPrompt(
  name: string,
  given: Readonly<Record<string, string>>,
  locale: Locale,
): { description: string; text: string } | { missing: string[] } | null {
  const job = JOBS.find((candidate) => candidate.name === name);
  if (!job) return null;
  const missing = job.arguments.filter((argument) => argument.required && !given[argument.name]?.trim());
  if (missing.length > 0) return { missing: missing.map((argument) => argument.name) };
  const { scene, ...others } = given;
  const words = job.words({ ...others, ...(scene !== undefined && { scene: toSceneName(scene) }) });
  return { description: job.description[locale], text: words[locale] };
}

/** Converts a scene path that is complete, or relative to `game` or to the scene folder. */
function toSceneName(scene: string): string {
  return scene.trim().replace(/^(?:\.?\/)?(?:(?:game\/)?scene\/)?/, '');
}
