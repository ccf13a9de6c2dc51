import { MISNAMED_TRANSFORM_KEYS, TRANSFORM_KEYS } from '../command-values.ts';
import { type LineReport, replaceFix } from '../line-report.ts';
import { findNearNames } from '../near-names.ts';
import type { Statement } from '../scan.ts';
import { declare } from './declaration.ts';

export const ANIMATION_DIAGNOSTICS = {
  'invalid-json': declare('error', 'syntax', {
    zh: '这段 JSON 引擎读不懂，{effect}',
    en: 'The engine cannot read this JSON: {effect}',
    hintZh: '名字要加英文双引号，逗号和括号要成对，不能写多余的逗号。',
    hintEn: 'Names need double quotes, brackets must match, no comma too many.',
    example: 'setTransform:{position:{x:1}} -target=fig-left;',
  }),
  'json-dash': declare('error', 'syntax', {
    zh: '负号前有空格，引擎在这里截断了 JSON，从“{lost}”起都丢掉了。',
    en: 'There is a blank before the minus: the engine cuts the JSON there and drops “{lost}”.',
    hintZh: '删掉负号前的空格。',
    hintEn: 'Remove the blank before the minus.',
    example: 'setTransform:{"position":{"x": -500}} -target=fig-left;',
  }),
  'animation-not-list': declare('error', 'syntax', {
    zh: 'setTempAnimation 需要一个列表 [ … ]，这样写故事会卡在这一行。',
    en: 'setTempAnimation needs a list [ … ]; written like this the story is stuck on this line.',
    hintZh: '用 [ ] 括起来。',
    hintEn: 'Put it in [ ].',
    example: 'setTempAnimation:{"alpha":0} -target=fig-left;',
  }),
  'frame-duration': declare('warning', 'syntax', {
    zh: '有一帧没有写 duration（毫秒），动画不会动。',
    en: 'A frame has no duration (milliseconds), so nothing moves.',
    hintZh: '每一帧都写上 "duration"。',
    hintEn: 'Give every frame a "duration".',
    example: 'setTempAnimation:[{"alpha":0}] -target=fig-left;',
  }),
  'unknown-transform-key': declare('warning', 'syntax', {
    zh: '没有 {key} 这个变换属性，引擎不理会它。{near}',
    en: 'There is no transform property {key}; the engine ignores it.{near}',
    hintZh: '检查拼写。',
    hintEn: 'Check the spelling.',
    example: 'setTransform:{"shockwave":1} -target=fig-left;',
  }),
  'rotation-degrees': declare('warning', 'syntax', {
    zh: 'rotation 的单位是弧度：{value} 会转很多圈。{value} 度写成 {radians}。',
    en: 'rotation is in radians: {value} turns round many times. For {value} degrees write {radians}.',
    hintZh: '改成 {radians}。',
    hintEn: 'Write {radians}.',
    example: 'setTransform:{"rotation":45} -target=fig-left;',
  }),
  'unknown-animation': declare('error', 'resource', {
    zh: '没有动画 {name}，什么也不会动。{why}{near}',
    en: 'There is no animation {name}, so nothing moves.{why}{near}',
    hintZh: '在 animation/animationTable.json 里登记它，或改成已有的动画。',
    hintEn: 'List it in animation/animationTable.json, or name one that is there.',
    example: 'setAnimation:nope -target=fig-left;',
  }),
  'missing-target': declare('error', 'syntax', {
    zh: '没有写 -target，{command} 不知道让谁动，什么也不会发生。',
    en: 'Without -target {command} has nothing to act on: nothing happens.',
    hintZh: '加上 -target=fig-left、fig-center、fig-right、bg-main 或立绘的 id。',
    hintEn: 'Add -target=fig-left, fig-center, fig-right, bg-main or the id of a figure.',
    example: 'setAnimation:shake;',
  }),
  'unknown-target': declare('warning', 'syntax', {
    zh: '舞台上没有叫 {name} 的对象，也没有立绘用过这个 id，什么也不会发生。{near}',
    en: 'Nothing on stage is called {name}, and no figure has that id: nothing happens.{near}',
    hintZh: '检查拼写，或在 changeFigure 里写 -id={name}。',
    hintEn: 'Check the spelling, or give a figure -id={name}.',
    example: 'setAnimation:shake -target=figleft;',
  }),
};

interface JsonSpan {
  start: number;
  end: number;
  isList: boolean;
}

/** Checks JSON in a line: a transform or a list of frames. */
export function checkJson(statement: Statement, report: LineReport, span: JsonSpan): void {
  const { text } = statement;
  const source = text.slice(span.start, span.end);
  if (source === '' || source.length > 100_000) return;
  let value: unknown;
  try {
    value = JSON.parse(source.replaceAll('\\;', ';'));
  } catch {
    // Invalid JSON becomes a finding, unless it contains a variable, which is replaced before the engine parses it.
    if (/\{[A-Za-z_$\u0080-\uffff][\w.$\u0080-\uffff]*\}/.test(source)) return;
    if (checkJsonDash(statement, report, span)) return;
    report.add('invalid-json', span.start, span.end, {
      values: {
        effect: span.isList
          ? { 'zh-CN': '动画不会播放。', en: 'the animation does not play.' }
          : { 'zh-CN': '这个变换不会发生。', en: 'the transform does not happen.' },
      },
    });
    return;
  }
  if (!span.isList) {
    checkTransform(value, { source, start: span.start }, report);
    return;
  }
  if (!Array.isArray(value)) {
    report.add('animation-not-list', span.start, span.end, {
      fixes: [
        {
          title: { 'zh-CN': '用 [ ] 括起来', en: 'Put it in [ ]' },
          edits: [
            { start: span.start, end: span.start, text: '[' },
            { start: span.end, end: span.end, text: ']' },
          ],
        },
      ],
    });
    return;
  }
  const frames = value as unknown[];
  if (
    frames.some(
      (frame) =>
        typeof frame === 'object' && frame !== null && typeof (frame as Record<string, unknown>).duration !== 'number',
    )
  ) {
    report.add('frame-duration', span.start, span.end);
  }
  for (const frame of frames.slice(0, 200)) checkTransform(frame, { source, start: span.start }, report);
}

function checkJsonDash(statement: Statement, report: LineReport, span: JsonSpan): boolean {
  const { text } = statement;
  if (text.slice(span.end, span.end + 2) !== ' -' || !/[:,[]\s*$/.test(text.slice(span.start, span.end))) return false;
  const stop = Math.max(text.lastIndexOf('}', statement.end - 1), text.lastIndexOf(']', statement.end - 1)) + 1;
  if (stop <= span.end) return false;
  const edits = [];
  for (const match of text.slice(span.end, stop).matchAll(/([:,[])?( +)(?=-)/g)) {
    const at = span.end + match.index + (match[1] ?? '').length;
    edits.push({ start: at, end: at + (match[2] ?? '').length, text: '' });
  }
  report.add('json-dash', span.end, stop, {
    values: { lost: text.slice(span.end, stop).trim() },
    fixes: [{ title: { 'zh-CN': '删掉负号前的空格', en: 'Remove the blank before the minus' }, edits }],
  });
  return true;
}

/** Limits the keys that are checked per object. */
const MAX_KEYS = 200;
/** The engine reads only x and y of a position or scale. */
function checkPoint(point: object, name: string, place: { source: string; start: number }, report: LineReport): void {
  if (report.isFull) return;
  const wrong = Object.keys(point).find((key) => key !== 'x' && key !== 'y');
  if (wrong === undefined) return;
  const quoted = JSON.stringify(wrong);
  const at = place.source.indexOf(quoted, Math.max(0, place.source.indexOf(JSON.stringify(name))));
  const start = place.start + Math.max(at, 0);
  const end = at < 0 ? place.start + place.source.length : start + quoted.length;
  const near = /^[xy]$/i.test(wrong) ? wrong.toLowerCase() : undefined;
  report.add('unknown-transform-key', start, end, {
    values: {
      key: `${name}.${wrong}`,
      near: near === undefined ? '' : { 'zh-CN': `应写 ${near}。`, en: ` Write ${near}.` },
    },
    ...(near !== undefined && at >= 0 && { fixes: [replaceFix(start, end, JSON.stringify(near))] }),
  });
}

const KEYS = new Set<string>([...TRANSFORM_KEYS, 'duration', 'ease']);

function checkTransform(value: unknown, place: { source: string; start: number }, report: LineReport): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  let left = MAX_KEYS;
  for (const key of Object.keys(value)) {
    left -= 1;
    if (left < 0) return;
    const entry = (value as Record<string, unknown>)[key];
    if ((key === 'position' || key === 'scale') && typeof entry === 'object' && entry !== null) {
      checkPoint(entry, key, place, report);
    }
    const isTurned =
      key === 'rotation' && typeof entry === 'number' && Math.abs(entry) > 6.3 && Number.isInteger(entry);
    if (KEYS.has(key) && !isTurned) continue;
    const quoted = JSON.stringify(key);
    const at = place.source.indexOf(quoted);
    const start = place.start + Math.max(at, 0);
    const end = at < 0 ? place.start + place.source.length : start + quoted.length;
    if (!KEYS.has(key)) {
      const near = MISNAMED_TRANSFORM_KEYS.get(key) ?? findNearNames(key, KEYS, 1)[0];
      report.add('unknown-transform-key', start, end, {
        values: {
          key,
          near: near === undefined ? '' : { 'zh-CN': `是不是想写 ${near}？`, en: ` Did you mean ${near}?` },
        },
        ...(near !== undefined && at >= 0 && { fixes: [replaceFix(start, end, JSON.stringify(near))] }),
      });
    } else {
      const radians = String(Math.round(((entry as number) * Math.PI * 1000) / 180) / 1000);
      const number = at < 0 ? null : /^\s*:\s*(-?\d+)/.exec(place.source.slice(at + quoted.length));
      const numberEnd = number === null ? end : end + number[0].length;
      const numberStart = number === null ? start : numberEnd - (number[1] ?? '').length;
      report.add('rotation-degrees', numberStart, numberEnd, {
        values: { value: String(entry), radians },
        ...(number !== null && { fixes: [replaceFix(numberStart, numberEnd, radians)] }),
      });
    }
  }
}
