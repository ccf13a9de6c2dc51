import { CapabilityFailure, createProvider } from '../src/index.ts';

interface Term {
  term: string;
  translation: string;
  note?: string;
}

/** By language, then by term in lower case. */
const glossary = new Map<string, Map<string, Term>>();

const language = { type: 'string', pattern: '^[a-z]{2}(-[A-Za-z]{2,4})?$' };
const term = { type: 'string', minLength: 1, maxLength: 200 };

/** A glossary, so that a name is translated the same way in every scene. It is kept in memory. */
export const provider = createProvider({
  id: 'translation-glossary',
  name: 'Translation glossary',
  version: '1.0.0',
  capabilities: {
    find: {
      type: 'context',
      name: 'Find terms',
      description:
        'Finds the terms of the glossary that occur in a text, with their translation. Use it before translating.',
      risk: { level: 'low', reason: 'It only reads the glossary.' },
      tags: ['translation'],
      parameters: {
        type: 'object',
        additionalProperties: false,
        required: ['language', 'text'],
        properties: { language, text: { type: 'string', maxLength: 100_000 } },
      },
      returns: { type: 'object', required: ['terms'], properties: { terms: { type: 'array' } } },
      run({ language, text }) {
        const words = String(text).toLowerCase();
        const known = [...(glossary.get(String(language)) ?? [])];
        return { terms: known.filter(([key]) => words.includes(key)).map(([, found]) => ({ ...found })) };
      },
    },
    add: {
      type: 'action',
      name: 'Add a term',
      description:
        'Adds a term with its translation to the glossary, or replaces the one that is there if `replace` is true.',
      risk: {
        level: 'medium',
        reason: 'It changes the glossary; the earlier term is returned.',
        rollbackSupported: true,
      },
      tags: ['translation'],
      parameters: {
        type: 'object',
        additionalProperties: false,
        required: ['language', 'term', 'translation'],
        properties: { language, term, translation: term, note: term, replace: { type: 'boolean' } },
      },
      returns: { type: 'object', required: ['before'], properties: { before: { type: ['object', 'null'] } } },
      run({ language, term, translation, note, replace }) {
        const terms = glossary.get(String(language)) ?? new Map<string, Term>();
        glossary.set(String(language), terms);
        const key = String(term).toLowerCase();
        const before = terms.get(key) ?? null;
        if (before && replace !== true) {
          const message = `The term is there already: ${before.translation}`;
          throw new CapabilityFailure('BUSINESS.CONFLICT', message, 'Set replace to true to change it.');
        }
        const more = typeof note === 'string' ? { note } : {};
        terms.set(key, { term: String(term), translation: String(translation), ...more });
        return { before: before && { ...before } };
      },
    },
  },
});

if (import.meta.main) await provider.connect().closed;
