/** A text of the user or the assistant in a log, with the row of the chat that shows it. */
export interface Spoken {
  row: string | null;
  by: 'user' | 'assistant';
  text: string;
}

/** Kinds of events with texts. Those of tools, drafts and summaries are not searched. */
const KINDS = ['user', 'assistant', 'assistant.piece', 'note', 'question', 'plan', 'completion'];
/** The kind of an event is its first field, behind the mark of the line. */
const KIND_WITHIN = 160;
const KIND = new RegExp(`"t":"(?:${KINDS.map((kind) => kind.replace('.', '\\.')).join('|')})"`);
/** What the user says outside of a message: words beside a rejected proposal. */
const USER_KINDS: ReadonlySet<unknown> = new Set(['message', 'answer', 'feedback']);

/** Returns whether a line can hold a text, without parsing it: most bytes of a log are results of tools. */
export function mayHoldText(line: Buffer): boolean {
  const head = line.toString('latin1', 0, KIND_WITHIN);
  return KIND.test(head) || !head.includes('"t":"');
}

/** Takes the events of a log in order, which may be any values, and returns their texts. */
export interface SpokenReader {
  take(event: unknown): Spoken[];
  /** Returns the text of a step that was cut off by the end of the log. */
  end(): Spoken[];
}

export function createSpokenReader(): SpokenReader {
  let partial: { step: string; text: string } | null = null;

  /** The pieces of a step count only until the whole step follows. */
  function settle(step: string | null): Spoken[] {
    const cut = partial;
    partial = null;
    return cut && cut.step !== step ? toSpoken(`${cut.step}:text`, 'assistant', cut.text) : [];
  }

  return {
    take(event) {
      if (!isRecord(event)) return [];
      const step = toText(event.step);
      if (event.t === 'assistant.piece') {
        const before = partial?.step === step ? partial.text : '';
        const settled = partial?.step === step ? [] : settle(null);
        partial = { step, text: before + toText(event.text) };
        return settled;
      }
      return [...settle(event.t === 'assistant' ? step : null), ...toTexts(event)];
    },
    end: () => settle(null),
  };
}

function toTexts(event: Record<string, unknown>): Spoken[] {
  const id = toText(event.id);
  switch (event.t) {
    case 'user': {
      if (!USER_KINDS.has(event.kind)) return [];
      const row = event.kind === 'message' ? id : event.kind === 'answer' ? toText(event.question) : '';
      return toSpoken(row, 'user', toText(event.text));
    }
    case 'assistant':
      return toSpoken(`${toText(event.step)}:text`, 'assistant', toStepText(event.messages));
    case 'note':
      return toSpoken(id, 'assistant', toLines(event.title, event.text));
    case 'question':
      return toSpoken(id, 'assistant', toLines(event.text, event.options));
    case 'plan':
      return toSpoken(id, 'assistant', toLines(event.text, event.steps));
    case 'completion':
      return toSpoken(id, 'assistant', toText(event.text));
    default:
      return [];
  }
}

function toSpoken(row: string, by: Spoken['by'], text: string): Spoken[] {
  return text.trim() === '' ? [] : [{ row: row === '' ? null : row, by, text }];
}

/** Returns what the assistant said in a step, without thinking and calls. */
function toStepText(messages: unknown): string {
  if (!Array.isArray(messages)) return '';
  return messages
    .filter(isRecord)
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ content }) => (Array.isArray(content) ? content : [{ type: 'text', text: content }]))
    .map((part: unknown) => (isRecord(part) && part.type === 'text' ? toText(part.text) : ''))
    .join('');
}

const toLines = (...values: unknown[]): string =>
  values
    .flat()
    .map(toText)
    .filter((text) => text !== '')
    .join('\n');

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
