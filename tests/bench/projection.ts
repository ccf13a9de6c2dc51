import { createMessageProjection, toMessages } from '../../main/core/agent/prompt/to-messages.ts';
import { LogEvent } from '../../main/core/agent/session/log-events.ts';
import { type Comparison, compare } from './compare.ts';

const EVENTS = 5000;
const SCENES = 60;

/** Measures a log of 5,000 events as messages for a model, whole and after one more event, against `JSON.parse` of its lines. */
export async function* benchProjection(): AsyncGenerator<Comparison> {
  const events = toLongLog();
  const lines = events.map((event) => JSON.stringify(event));
  const theirs = async (): Promise<number> => {
    // Parsed lines are new objects, so that nothing is kept from an earlier round.
    const startedAt = performance.now();
    parse(lines);
    return performance.now() - startedAt;
  };
  const against = '`JSON.parse` of it';
  yield await compare({
    ...{ name: 'a log of 5,000 events as messages', goal: { ratio: 2 }, against, rounds: 30, theirs },
    async ours() {
      const log = parse(lines);
      const startedAt = performance.now();
      toMessages(log);
      return performance.now() - startedAt;
    },
  });
  yield await compare({
    ...{ name: 'the messages after one more event', goal: { ratio: 0.05 }, against, rounds: 30, theirs },
    async ours() {
      const log = parse(lines);
      const last = log.pop();
      const projection = createMessageProjection(log);
      projection.messages();
      if (last) log.push(last);
      const startedAt = performance.now();
      projection.messages();
      return performance.now() - startedAt;
    },
  });
}

const parse = (lines: readonly string[]): LogEvent[] => lines.map((line) => JSON.parse(line) as LogEvent);

/** Turns that read and edit scenes, in which text with markup occurs. */
export function toLongLog(count = EVENTS): LogEvent[] {
  const events: unknown[] = [{ t: 'session', v: 2, id: 's', at: 0, practice: false }];
  for (let at = 0; events.length < count; at += 1) {
    const turn = `t${at}`;
    const head = { turn, at };
    events.push({ t: 'turn.start', ...head, mode: 'act' });
    events.push({
      t: 'user',
      ...head,
      id: `u${at}`,
      kind: 'message',
      mode: 'act',
      text: '请在雨夜一幕加一段争吵，给她两个选择。',
    });
    for (let index = 0; index < 6; index += 1) events.push(...toStep(head, index));
    events.push({ t: 'completion', ...head, id: `k${at}`, text: '起草好了。' });
    events.push({ t: 'turn.end', ...head, reason: 'done' });
  }
  return events.slice(0, count).map((event) => LogEvent.parse(event));
}

function toStep(head: { turn: string; at: number }, index: number): unknown[] {
  const path = `game/scene/scene-${(head.at * 7 + index) % SCENES}.txt`;
  const isRead = index % 2 === 0;
  const name = isRead ? 'read_file' : 'replace_in_file';
  const [step, call] = [`${head.turn}s${index}`, `${head.turn}c${index}`];
  const input = isRead ? { path } : { path, find: '雪乃:你好;', replace: '雪乃:早上好;' };
  const lines = Array.from({ length: 60 }, (_, line) =>
    line % 10 === 0 ? `${line}| 雪乃:[海风](hǎi fēng)吹过 <3;` : `${line}| 雪乃:这是第 ${line} 句，海风吹过。;`,
  );
  const content = [
    { type: 'text', text: '先看看这一幕。' },
    { type: 'tool-call', toolCallId: call, toolName: name, input },
  ];
  const usage = { input: 100, cached: 0, output: 10 };
  const summary = { 'zh-CN': '看一幕', en: 'Read a scene' };
  const draft = { t: 'draft', ...head, path, base: 'v1', before: null, text: `${lines.join('\n')}\n` };
  return [
    { t: 'assistant', ...head, step, messages: [{ role: 'assistant', content }], finish: 'tool-calls', usage },
    { t: 'tool.call', ...head, step, call, name, summary, paths: [path] },
    ...(isRead ? [] : [draft]),
    {
      ...{ t: 'tool.result', ...head, step, call, name, ok: true, seen: { [path]: 'v1' } },
      value: isRead ? { path, text: lines.join('\n'), version: 'v1' } : { changes: 1, problems: [] },
    },
  ];
}
