import { join } from 'node:path';
import type { LogEvent } from '../../../main/core/agent/session/log-events.ts';
import { createJournalSignature } from '../../../main/node/journal/journal-signature.ts';
import { createSessionLogs } from '../../../main/node/logs/session-logs.ts';
import { createAgentFolder } from '../../../main/node/project-fs/agent-folder.ts';

export const CONVERSATION_ID = 'bench';
export const FIRST_WORDS = 'The very first message of all';

const USAGE = { input: 10, cached: 0, output: 10 };
const ANSWER = '**Scene** `chapter_7.txt` has rain now. I would keep the lamp:\n\n- a line\n- another line\n\n';

/** Writes a conversation of at least `rows` rows, signed by this installation, into a game's folder. */
export async function writeConversation(options: {
  projectDir: string;
  /** The app's data folder, which contains its key. */
  home: string;
  rows: number;
  /** Characters of each answer. */
  length?: number;
}): Promise<void> {
  const { projectDir, home, rows, length = 400 } = options;
  const logs = createSessionLogs(createAgentFolder(projectDir), createJournalSignature(join(home)));
  const file = logs.open(CONVERSATION_ID);
  const answer = ANSWER.repeat(Math.ceil(length / ANSWER.length));
  await file.appendAll([{ t: 'session', v: 2, id: CONVERSATION_ID, at: 1, practice: false } satisfies LogEvent], false);
  for (let turn = 0; turn * 5 < rows; turn += 1) await file.appendAll(toTurn(turn, answer), false);
  await logs.close();
}

/** Returns the events of one turn, which the page shows as five rows. */
function toTurn(index: number, answer: string): LogEvent[] {
  const head = { turn: `turn-${index}`, at: 1_700_000_000_000 + index * 60_000 };
  const text = index === 0 ? FIRST_WORDS : `Message ${index}: please add rain`;
  const toAssistantEvent = (step: string, words: string): LogEvent => ({
    ...{ t: 'assistant', ...head, step, finish: 'stop', usage: USAGE },
    messages: [{ role: 'assistant', content: words }],
  });
  const call = { step: `s${index}`, call: `c${index}`, name: 'read_file' };
  return [
    { t: 'turn.start', ...head, mode: 'act' },
    { t: 'user', ...head, id: `u${index}`, kind: 'message', mode: 'act', text },
    toAssistantEvent(`s${index}`, 'I look at it.'),
    {
      t: 'tool.call',
      ...head,
      ...call,
      summary: { 'zh-CN': '读', en: 'Reads a scene' },
      paths: ['game/scene/start.txt'],
    },
    { t: 'tool.result', ...head, ...call, ok: true, value: {} },
    { t: 'note', ...head, id: `n${index}`, level: 'info', text: `Note ${index}` },
    toAssistantEvent(`e${index}`, `Answer ${index}. ${answer}`),
    { t: 'turn.end', ...head, reason: 'done' },
  ];
}
