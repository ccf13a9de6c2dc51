import { PROTOCOL_VERSION } from '../../../shared/model/capability/provider-frames.ts';

const VERBS = ['draw', 'translate', 'speak', 'find', 'roll', 'compose', 'resize', 'colour', 'list', 'check'];
const NOUNS = ['figure', 'background', 'line', 'song', 'term', 'voice', 'mask', 'palette', 'scene', 'sound'];

/** Returns the frame with which a program registers `count` capabilities of ordinary size. */
export function toRegistration(provider: string, count: number): string {
  const capabilities = Array.from({ length: count }, (_, index) => toOffered(provider, index));
  const payload = {
    protocol: PROTOCOL_VERSION,
    provider: { id: provider, name: provider, version: '1.0.0' },
    capabilities,
  };
  return JSON.stringify({ id: 'register', type: 'register', timestamp: new Date(0).toISOString(), payload });
}

/** Returns what one program declares of its capability number `index`. */
export function toOffered(provider: string, index: number) {
  const verb = VERBS[index % VERBS.length];
  const noun = NOUNS[Math.floor(index / VERBS.length) % NOUNS.length];
  return {
    id: `ext.${provider.replaceAll('-', '')}.${verb}${noun}${index}`,
    ...{
      version: '1.0.0',
      type: index % 3 === 0 ? ('context' as const) : ('action' as const),
      name: `${verb} a ${noun}`,
    },
    description: `Makes a ${noun} with ${verb}: takes a style, a size and words, and returns where the result lies. Number ${index}.`,
    parameters: {
      type: 'object',
      required: ['words'],
      properties: {
        words: { type: 'string', maxLength: 2000, description: `What the ${noun} shows.` },
        style: { type: 'string', enum: ['plain', 'painted', 'pencil'] },
        size: { type: 'object', properties: { width: { type: 'integer', minimum: 1 }, height: { type: 'integer' } } },
        options: { type: 'array', items: { type: 'string' }, maxItems: 10 },
      },
      additionalProperties: false,
    },
    returns: { type: 'object', properties: { address: { type: 'string' } } },
    risk: { level: 'medium' as const, reason: 'It makes a file.' },
    tags: [String(noun), String(verb)],
  };
}
