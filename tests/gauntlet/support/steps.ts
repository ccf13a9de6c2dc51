import type { FakeCall, FakeMessage, FakeRequest, FakeStep } from '../../support/services/fake-model-server.ts';

/** A call of a tool. */
export function call(name: string, args: unknown = {}): FakeCall {
  return { name, args };
}

/** A step that completes the turn. */
export function done(result = 'Done.'): FakeStep {
  return { calls: [call('attempt_completion', { result })] };
}

/** A step of calls. */
export function calls(...each: FakeCall[]): FakeStep {
  return { calls: each };
}

/** Returns the text of each tool answer in a request, oldest first. */
export function toToolAnswers({ body }: FakeRequest): string[] {
  return (body.messages ?? []).filter(({ role }) => role === 'tool').map(({ content }) => toText(content));
}

/** Returns the whole text of a request as the service receives it. */
export function toWireText({ body }: FakeRequest): string {
  return JSON.stringify(body);
}

function toText(content: FakeMessage['content']): string {
  return typeof content === 'string' ? content : JSON.stringify(content ?? '');
}
