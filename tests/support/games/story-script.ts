import { insertPassage } from '../../../main/core/agent/practice/insert-passage.ts';
import type { FakeMessage, FakeRequest, FakeStep } from '../services/fake-model-server.ts';

/** The line that the story script proposes for the opening scene; tests look for it on the stage and on disk. */
export const STORY_LINE = ':雨敲着窗沿，谁也没有先开口。;';
/** The line that it proposes after a rejection, and when it is told of an undo. */
export const STORY_LINE_SHORT = ':雨声很轻。;';
/** Lines with invisible or look-alike characters, the last after a long gap. */
const UNSEEN_LINES = [':gentle\u202e rain;', '\u0441hangeScene:bridge.txt;', ...Array(3000).fill(''), ':far below;'];
/** What it answers when the app asks for a summary. */
export const STORY_SUMMARY = '决定：在离开之前加一句雨声。';
export const STORY_SCENE = 'game/scene/start.txt';
/** The versions that it offers for a new first line. */
export const STORY_VERSIONS = [
  { title: '轻', text: ':雨声很轻。;' },
  { title: '重', text: ':雨砸在窗上，\n:谁也听不清谁。;' },
  { title: '静', text: ':雨停了。;' },
];
const STORY_PLAN = ['读开头的场景', '在离开之前加一句雨声', '检查脚本'].map((summary) => {
  return { type: 'scene_edit', summary, path: STORY_SCENE };
});

/** The call after which a step of the plan is done. */
const STEP_TOOLS = ['read_file', 'write_to_file', 'validate_script'];

const SLOW_TEXT = Array.from({ length: 400 }, (_, index) => `慢慢说第${index + 1}句。`);

/**
 * Scripts a model for end-to-end tests. Keywords in the user's last message select the response: `[slow]` a long answer, `[die]`
 * a broken connection, `[hang]` no more data, `[401]` an invalid key, `[402]` no credit, `[429]` a rate limit, `[503]` overload, `[wait]` a rate limit with a long wait,
 * `[empty]` an empty answer, `[ask]` a question, `[choose]` one with options (`[several]`: to choose several), `[versions]` three versions of a first line, `[whole]` a question to the reading helper, `[prepared]` in plan mode: steps whose changes are ready, `[blocked]` also steps that must not run, `[todo]` a to-do list and a long answer, `[broken]` a proposal with an error, `[unseen]` invisible characters,
 * `[endings]` other line endings, `[seven]` seven changes, `[chapter]` an additional scene, `[loop]` a repeated call, `[claim]` a change that was not made, `[steps]` very many steps. A request without tools is for a summary. Without a keyword: a plan in plan
 * mode, an edit of the opening scene in act mode.
 */
export function storyScript({ body }: FakeRequest): FakeStep {
  const messages = body.messages ?? [];
  // A notice of the app is no request.
  const last = messages.findLastIndex(
    ({ role, content }) => role === 'user' && !toText(content).includes('kind="notice"'),
  );
  const prompt = toText(messages[last]?.content);
  const since = messages.slice(last + 1);
  const head = [...prompt.matchAll(/<message mode="(plan|act)" kind="(\w+)">/g)].at(-1);
  const has = (keyword: string) => prompt.includes(`[${keyword}]`);
  const called = new Set(since.flatMap((message) => message.tool_calls ?? []).map((call) => call.function.name));

  if (!body.tools?.length && messages.length === 2 && !has('slow')) return { text: STORY_SUMMARY };
  if (has('slow')) return { text: SLOW_TEXT, delay: 50 };
  if (has('die')) return { text: ['我先看一看，', '然后就', '断了'], dieAfter: 3, delay: 20 };
  if (has('hang')) return { text: ['我想一想'], hangAfter: 2 };
  if (has('401')) return { status: 401, body: { error: { message: 'Incorrect API key provided.' } } };
  if (has('402')) return { status: 402, body: { error: { message: 'Insufficient Balance' } } };
  if (has('429')) return { status: 429, headers: { 'retry-after-ms': '10' } };
  if (has('wait')) return { status: 429, headers: { 'retry-after': '45' } };
  if (has('503')) return { status: 503, headers: { 'retry-after-ms': '10' } };
  if (has('empty')) return {};
  if (has('claim')) return { calls: [{ name: 'attempt_completion', args: { result: '我已经把开头改好了。' } }] };
  if (has('steps')) return { calls: [{ name: 'read_file', args: { path: `game/scene/none${messages.length}.txt` } }] };
  if (has('loop')) return { calls: [{ name: 'list_files', args: { path: 'game/scene' } }] };
  if (has('ask') && head?.[2] !== 'answer') {
    return { calls: [{ name: 'ask_followup_question', args: { question: '雨是下在白天，还是夜里？' } }] };
  }
  if (toText(messages[0]?.content).startsWith('You read a visual novel')) {
    const look = { calls: [{ name: 'read_file', args: { path: STORY_SCENE } }] };
    return called.has('read_file') ? { text: '雨停了（start.txt:3）。' } : look;
  }
  if (has('whole') && !called.has('ask_story')) {
    return { calls: [{ name: 'ask_story', args: { question: '雨什么时候停？' } }] };
  }
  if (has('whole')) return { text: '读完了。' };
  if (has('todo') && !called.has('attempt_completion')) {
    const items = ['雨夜', '车站', '清晨'].map((text, index) => ({
      text,
      state: ['done', 'active', 'pending'][index] ?? 'pending',
    }));
    const list = { name: 'update_todo_list', args: { items } };
    return called.has('update_todo_list') ? { text: SLOW_TEXT, delay: 50 } : { calls: [list] };
  }
  if (has('choose') && head?.[2] !== 'answer') {
    const options = ['1. 白天', '2. 夜里', '3. 黄昏'];
    const multiple = has('several');
    return { calls: [{ name: 'ask_followup_question', args: { question: '雨下在什么时候？', options, multiple } }] };
  }
  if (toText(messages.at(-1)?.content).includes('The chosen version')) return { text: '好的。' };
  if (has('versions') && head?.[2] !== 'answer') {
    const versions = STORY_VERSIONS.map(({ title, text }) => ({ title, text }));
    return { calls: [{ name: 'offer_versions', args: { path: STORY_SCENE, after: 0, expect: '', versions } }] };
  }
  if (head?.[1] === 'plan') return toPlanStep(called, { since, has });
  return toActStep({ called, since, prompt, kind: head?.[2] ?? 'message' });
}

function toPlanStep(
  called: ReadonlySet<string>,
  { since, has }: { since: FakeMessage[]; has: (keyword: string) => boolean },
): FakeStep {
  if (!called.has('read_file')) {
    return {
      reasoning: '先看看开头。',
      text: '我先读一读开头的场景。',
      calls: [
        { name: 'list_project_resources', args: {} },
        { name: 'read_file', args: { path: STORY_SCENE } },
      ],
    };
  }
  const prepared = toPreparedSteps(toSceneText(since) ?? '');
  const steps = has('blocked') ? [...prepared.slice(0, 1), ...BLOCKED_STEPS] : has('prepared') ? prepared : STORY_PLAN;
  return { calls: [{ name: 'propose_plan', args: { text: '计划如下。', steps } }] };
}

/** Two steps whose changes are ready: each inserts a line after one of the first lines of the scene. */
function toPreparedSteps(scene: string) {
  const lines = scene
    .split('\n')
    .filter((line, _, all) => line.endsWith(';') && all.indexOf(line) === all.lastIndexOf(line));
  return [STORY_LINE, STORY_LINE_SHORT].map((text, index) => ({
    ...{ type: 'scene_edit', summary: index === 0 ? '加一句雨敲窗沿' : '加一句雨声很轻', path: STORY_SCENE },
    operations: [{ op: 'insert', path: STORY_SCENE, expect: lines[index] ?? '', text }],
  }));
}

const BLOCKED_STEPS = [
  {
    ...{ type: 'scene_edit', summary: '换上网上的雨景', path: STORY_SCENE },
    operations: [{ op: 'create', path: 'game/scene/rain.txt', text: 'changeBg:https://example.com/rain.png;\nend;\n' }],
  },
  { type: 'manual_review', summary: '决定谁先离开' },
];

function toActStep(turn: {
  called: ReadonlySet<string>;
  since: FakeMessage[];
  prompt: string;
  kind: string;
}): FakeStep {
  const { called, since, prompt, kind } = turn;
  const has = (keyword: string) => prompt.includes(keyword);
  const progress = (content: string) => ({ name: 'display', args: { content, level: 'progress' } });
  if (kind === 'problems') {
    return { calls: [{ name: 'attempt_completion', args: { result: '有一处问题我没有改好，请看一看。' } }] };
  }
  const place = kind === 'step' ? Number([...prompt.matchAll(/"step":(\d+)/g)].at(-1)?.[1]) : 0;
  const isDone = called.has(STEP_TOOLS[place - 1] ?? '');
  if (isDone) return { calls: [{ name: 'attempt_completion', args: { result: `第 ${place} 步好了。` } }] };
  if (place === 3) return { calls: [{ name: 'validate_script', args: { path: STORY_SCENE } }] };
  if (!called.has('read_file')) {
    return { calls: [progress('1/3 读开头的场景'), { name: 'read_file', args: { path: STORY_SCENE } }] };
  }
  if (!called.has('write_to_file')) {
    const scene = toSceneText(since);
    if (scene === null) return { text: '我读不到开头的场景。' };
    const line = prompt.includes('[broken]') ? 'changeBg:no-such-picture.png -next;' : STORY_LINE;
    const isShort = kind === 'feedback' || prompt.includes('NOT on disk any more');
    const passage = prompt.includes('[unseen]') ? UNSEEN_LINES : [isShort ? STORY_LINE_SHORT : line];
    const write = (path: string, content: string) => ({
      name: 'write_to_file',
      args: { path, content, mode: 'overwrite', dryRun: false },
    });
    return {
      text: '找到地方了，我来写。',
      calls: [
        progress('2/3 加一句雨声'),
        write(
          STORY_SCENE,
          has('[seven]')
            ? toSevenChanges(scene)
            : has('[endings]')
              ? scene.replaceAll('\n', '\r\n')
              : insertPassage(scene, passage),
        ),
        ...(prompt.includes('[chapter]') ? [write('game/scene/rain.txt', ':新的一章。;\nend;\n')] : []),
      ],
    };
  }
  if (!called.has('validate_script')) {
    return { calls: [progress('3/3 检查脚本'), { name: 'validate_script', args: { path: STORY_SCENE } }] };
  }
  return { calls: [{ name: 'attempt_completion', args: { result: '我提议在离开之前加一句雨声。' } }] };
}

/** Returns the opening scene with seven changes, of which the last but one jumps to a label that the last one defines. */
export function toSevenChanges(scene: string): string {
  const lines = scene.split('\n');
  const places = lines.flatMap((line, at) => (/^[^;a-z]*:/.test(line) ? [at] : [])).slice(0, 7);
  return lines
    .flatMap((line, at) => {
      const number = places.indexOf(at);
      if (number < 0) return [line];
      if (number === 5) return [line, 'jumpLabel:rain;'];
      return number === 6 ? [line, 'label:rain;'] : [line, `:雨的第${number + 1}句。;`];
    })
    .join('\n');
}

function toText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: string }) => part.text ?? '').join('');
}

/** Returns the scene's text from the result of `read_file`. */
function toSceneText(messages: readonly FakeMessage[]): string | null {
  const reads = new Set(
    messages
      .flatMap((message) => message.tool_calls ?? [])
      .filter((call) => call.function.name === 'read_file')
      .map(({ id }) => id),
  );
  const answer = messages.find(({ role, tool_call_id: id }) => role === 'tool' && id !== undefined && reads.has(id));
  if (!answer) return null;
  const parsed = JSON.parse(toText(answer.content)) as { content?: unknown };
  return typeof parsed.content === 'string' ? parsed.content.replace(/^\d+\| ?/gm, '').concat('\n') : null;
}
