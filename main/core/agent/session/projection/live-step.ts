import type { ChatItem } from '../../../../../shared/model/chat.ts';

/** The streaming step, which exists only in the running app. */
export interface LiveStep {
  turn: string;
  step: string;
  at: number;
  text: string;
  thinking: string;
}

/** Returns the id of the row of a step's text. */
export function toStepRow(step: string, part: 'text' | 'thinking'): string {
  return `${step}:${part}`;
}

/** Returns the rows of a step's thinking and text. */
export function toSpokenItems({ turn, at, step, text, thinking }: LiveStep, isLive: boolean): ChatItem[] {
  const rows: ChatItem[] = [];
  if (thinking.trim() !== '') {
    const streaming = isLive && text === '';
    rows.push({ kind: 'thinking', id: toStepRow(step, 'thinking'), turn, at, text: thinking, streaming });
  }
  if (text.trim() !== '') {
    rows.push({ kind: 'assistant', id: toStepRow(step, 'text'), turn, at, text, streaming: isLive });
  }
  return rows;
}
