import type { Plugin } from 'vite';

const NOT_ASCII = /[\u0080-\uffff]/g;
/** A tag that sees the source text of its template, where an escape is not the character. */
const RAW_TEMPLATE = /\.raw`(?:[^`\\]|\\[\s\S])*`/g;

/**
 * Writes the characters of bundled code outside ASCII as escapes. The runtime keeps the source of each loaded module, with two bytes for
 * each character if one of them needs two, and reads ASCII without decoding it. Throws for a raw template with such characters.
 */
export function writeAscii(): Plugin {
  return {
    name: 'write-ascii',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk') chunk.code = toAscii(chunk.code);
      }
    },
  };
}

/** Returns JavaScript code with the same meaning, in ASCII. Throws for a raw template whose meaning would change. */
export function toAscii(code: string): string {
  for (const [template] of code.matchAll(RAW_TEMPLATE)) {
    if (template.search(NOT_ASCII) >= 0)
      throw new Error(`Write the characters outside ASCII of this raw template as escapes: ${template.slice(0, 200)}`);
  }
  return code.replace(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
