import type { ProviderId } from '../../../shared/model/settings.ts';
import type { ModelIdentity, ModelMessage } from '../../core/ports/models.ts';

/** Stands for thinking that was not recorded or must not be sent, where a provider demands some. */
const NO_THINKING = '(The thinking of this step is not available.)';

/** Providers that sign what their models think and accept it from nowhere else. */
const SIGNING: readonly string[] = ['anthropic', 'google', 'openai'];

/** Models that reject a tool call in the history without its thinking, also behind a gateway. */
const THINKING_MODEL =
  /kimi-(k2\.[5-9]|k[3-9]|.*thinking)|k2-thinking|deepseek-(v4|v[5-9]|flash|pro|r|reasoner)|glm-(4\.[5-9]|[5-9])|qwq|qwen.*thinking|mimo/i;
const TEXT_THINKING: ReadonlySet<ProviderId> = new Set([
  'deepseek',
  'kimi',
  'glm',
  'qwen',
  'ollama',
  'lmstudio',
  'custom',
]);

interface Part {
  type?: unknown;
  text?: unknown;
  providerOptions?: unknown;
}

/**
 * Returns the history as the model `to` accepts it. A step by the same model stays unchanged. In a step by another one, thinking and
 * data that its provider signed are left out; thinking as plain text is kept where `to` demands it. A tool call without
 * thinking gets a placeholder where `to` demands some. Pure.
 */
export function toProviderHistory(messages: readonly ModelMessage[], to: ModelIdentity): ModelMessage[] {
  const demands = demandsThinking(to);
  return messages.map(({ by, ...message }) => {
    if (message.role !== 'assistant' || !Array.isArray(message.content)) return message;
    const isOwn = by?.provider === to.provider && by.model === to.model;
    const parts = message.content as Part[];
    const kept = isOwn ? parts : parts.flatMap((part) => toForeignPart(part, to, by, demands));
    const content = demands && needsThinking(kept) ? [{ type: 'reasoning', text: NO_THINKING }, ...kept] : kept;
    // A step that held thinking only must not become an empty message.
    return { ...message, content: content.length === 0 ? [{ type: 'text', text: '…' }] : content };
  });
}

/** True when the model rejects a call in the history without thinking. */
function demandsThinking({ provider, model }: ModelIdentity): boolean {
  if (provider === 'kimi') return !/^moonshot-v1/i.test(model);
  return TEXT_THINKING.has(provider) && THINKING_MODEL.test(model);
}

function needsThinking(parts: readonly Part[]): boolean {
  const hasThinking = parts.some(
    ({ type, text }) => type === 'reasoning' && typeof text === 'string' && text.trim() !== '',
  );
  return !hasThinking && parts.some(({ type }) => type === 'tool-call');
}

function toForeignPart(part: Part, to: ModelIdentity, by: ModelIdentity | undefined, demands: boolean): Part[] {
  const signers = toSigners(part);
  if (by === undefined) {
    // An older log does not name the author: what is signed by this provider, or not at all, is taken for its own.
    return signers.every((signer) => signer === to.provider) ? [part] : toUnsigned(part, demands);
  }
  const isSigned = signers.length > 0 || SIGNING.includes(by.provider);
  if (isSigned && part.type === 'reasoning') return [];
  return toUnsigned(part, demands);
}

/** Returns a part without data of a provider; thinking only where it is demanded and no provider signed it. */
function toUnsigned(part: Part, demands: boolean): Part[] {
  const { providerOptions: _, ...plain } = part;
  if (part.type === 'reasoning' && (!demands || toSigners(part).length > 0)) return [];
  return [plain];
}

/** The signing providers whose data a part carries. */
function toSigners({ providerOptions }: Part): string[] {
  if (typeof providerOptions !== 'object' || providerOptions === null) return [];
  return Object.keys(providerOptions).filter((name) => SIGNING.includes(name));
}
