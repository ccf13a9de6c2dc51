import { delay } from '../../../../shared/async.ts';
import { practiceTexts } from '../../../../shared/i18n/practice.ts';
import type { Locale } from '../../../../shared/model/local-text.ts';
import type { Model, ModelEvent, ModelMessage, ModelRequest } from '../../ports/models.ts';
import { withoutLineNumbers } from '../../text/numbered-lines.ts';
import { insertPassage } from './insert-passage.ts';

const OPENING_SCENE = 'game/scene/start.txt';
const USAGE = { input: 0, cached: 0, output: 0 };

interface Result {
  tool: string;
  ok: boolean;
  value: unknown;
}

interface Situation {
  mode: 'plan' | 'act';
  /** The last message follows a rejection. */
  rejected: boolean;
  /** The step of the plan (1-based) that is carried out. */
  step: number | null;
  /** Tool results since the user's last message. */
  results: Result[];
  /** A draft was made earlier in this conversation and not rejected since. */
  drafted: boolean;
}

interface Move {
  say?: string;
  calls?: { name: string; input: Record<string, unknown> }[];
}

/**
 * The scripted model of the guided tour. It runs in the same loop with the same tools as any model and computes each step from
 * the conversation alone, so it can be stopped, rejected and resumed.
 * `pace` is the pause in milliseconds between two words.
 */
export function createPracticeModel({ locale, pace = 24 }: { locale: Locale; pace?: number }): Model {
  return {
    async *stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
      const situation = toSituation(request.messages);
      const move = situation.mode === 'plan' ? toPlanMove(situation, locale) : toActMove(situation, locale);
      for (const text of toWords(move.say ?? '')) {
        if (request.signal.aborted) return;
        yield { kind: 'text', text };
        if (pace > 0) await delay(pace);
      }
      if (request.signal.aborted) return;
      const calls = (move.calls ?? []).map((call, index) => ({
        ...call,
        id: `practice_${request.messages.length}_${index}`,
      }));
      for (const call of calls) yield { kind: 'call', call };
      const content = [
        ...(move.say ? [{ type: 'text', text: move.say }] : []),
        ...calls.map(({ id, name, input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input })),
      ];
      const finish = calls.length > 0 ? 'tool-calls' : 'stop';
      yield { kind: 'done', messages: [{ role: 'assistant', content }], finish, usage: USAGE };
    },
  };
}

/** Splits a text into words with their trailing space, Chinese text into pairs of characters. */
function toWords(text: string): string[] {
  return text.match(/[\u3000-\uffff]{1,2}|[^\s\u3000-\uffff]+\s*|\s+/g) ?? [];
}

function toSituation(messages: readonly ModelMessage[]): Situation {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const said = String(messages[last]?.content ?? '');
  const heads = [...said.matchAll(/<message mode="(plan|act)" kind="(\w+)">/g)];
  const rejection = messages.findLastIndex(
    ({ role, content }) => role === 'user' && String(content).includes('The user REJECTED your proposal.'),
  );
  return {
    mode: heads.at(-1)?.[1] === 'plan' ? 'plan' : 'act',
    rejected: heads.at(-1)?.[2] === 'feedback',
    step: heads.at(-1)?.[2] === 'step' ? Number([...said.matchAll(/"step":(\d+)/g)].at(-1)?.[1]) : null,
    results: toResults(messages.slice(last + 1)),
    drafted: toResults(messages.slice(rejection + 1, Math.max(last, 0))).some(
      ({ tool, ok }) => tool === 'write_to_file' && ok,
    ),
  };
}

function toResults(messages: readonly ModelMessage[]): Result[] {
  const results: Result[] = [];
  for (const { role, content } of messages) {
    if (role !== 'tool' || !Array.isArray(content)) continue;
    for (const part of content as { toolName?: string; output?: { type?: string; value?: unknown } }[]) {
      const ok = part.output?.type === 'json' || part.output?.type === 'text';
      results.push({ tool: part.toolName ?? '', ok, value: part.output?.value });
    }
  }
  return results;
}

function complete(result: string): Move {
  return { calls: [{ name: 'attempt_completion', input: { result } }] };
}

function toPlanMove({ results }: Situation, locale: Locale): Move {
  const translate = practiceTexts.createTranslator(locale);
  if (results.length > 0) {
    const step = (name: 'write' | 'check') => {
      return { type: 'scene_edit', summary: translate(`plan.${name}`), path: OPENING_SCENE };
    };
    const steps = [step('write'), step('check')];
    return { calls: [{ name: 'propose_plan', input: { text: translate('plan.text'), steps } }] };
  }
  return {
    say: translate('lookingAround'),
    calls: [
      { name: 'list_project_resources', input: {} },
      { name: 'read_file', input: { path: OPENING_SCENE } },
    ],
  };
}

function toActMove({ results, rejected, drafted, step }: Situation, locale: Locale): Move {
  const translate = practiceTexts.createTranslator(locale);
  const done = new Set(results.map(({ tool }) => tool));
  const check = { calls: [{ name: 'validate_script', input: { path: OPENING_SCENE } }] };
  if (step === 2) return done.has('validate_script') ? complete(translate('checked')) : check;
  if (drafted) return complete(translate('again'));
  if (done.has('validate_script')) return complete(translate('done'));
  const written = results.find(({ tool }) => tool === 'write_to_file');
  if (written) {
    if (!written.ok) return complete(translate('noScene'));
    return step === 1 ? complete(translate('done')) : check;
  }
  const read = results.find(({ tool }) => tool === 'read_file');
  if (!read) {
    return {
      ...(rejected && { say: translate('shorter') }),
      calls: [{ name: 'read_file', input: { path: OPENING_SCENE } }],
    };
  }
  const scene = toSceneText(read);
  if (scene === null) return complete(translate('noScene'));
  const content = insertPassage(scene, toPassage(scene, { locale, short: rejected }));
  return {
    say: translate('writing'),
    calls: [{ name: 'write_to_file', input: { path: OPENING_SCENE, content, mode: 'overwrite' } }],
  };
}

/** Returns the scene from a `read_file` result; null after a failure or a partial result. */
function toSceneText({ ok, value }: Result): string | null {
  if (!ok || typeof value !== 'object' || value === null || !('content' in value)) return null;
  if (typeof value.content !== 'string' || ('leftOut' in value && value.leftOut !== undefined)) return null;
  return `${withoutLineNumbers(value.content) ?? value.content}\n`;
}

/** Returns script lines whose labels are unused in the scene. */
function toPassage(scene: string, { locale, short }: { locale: Locale; short: boolean }): string[] {
  const translate = practiceTexts.createTranslator(locale);
  let number = 1;
  while (scene.includes(`rain${number}_`)) number += 1;
  const [gaveLabel, ranLabel, afterLabel] = [`rain${number}_give`, `rain${number}_run`, `rain${number}_after`];
  return [
    `; ${translate('passage.note')}`,
    `:${translate('passage.opening')};`,
    `choose:${translate('passage.give')}:${gaveLabel}|${translate('passage.run')}:${ranLabel};`,
    `label:${gaveLabel};`,
    `:${translate('passage.gave')};`,
    `jumpLabel:${afterLabel};`,
    `label:${ranLabel};`,
    `:${translate('passage.ran')};`,
    `label:${afterLabel};`,
    ...(short ? [] : [`:${translate('passage.closing')};`]),
  ];
}
