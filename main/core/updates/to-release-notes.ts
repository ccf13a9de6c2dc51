import { toVisibleText } from '../../../shared/text/shown-text.ts';

const MAX_CHARACTERS = 20_000;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/**
 * Converts release notes of a feed to Markdown without HTML: GitHub sends HTML, other feeds Markdown. The text is untrusted:
 * tags are removed, characters that hide or reorder text are escaped, and the length is limited. The page renders the result
 * without HTML, links and images.
 */
export function toReleaseNotes(raw: string): string {
  const text = raw
    .slice(0, MAX_CHARACTERS)
    .replace(/\r\n?/g, '\n')
    .replace(/<(script|style)\b[^>]*>[\s\S]*?(<\/\1\s*>|$)/gi, '')
    .replace(/<h[1-6]\b[^>]*>/gi, '\n### ')
    .replace(/<li\b[^>]*>\s*/gi, '\n- ')
    .replace(/<br\b[^>]*>|<\/(p|div|h[1-6]|ul|ol|pre|blockquote)\s*>/gi, '\n\n')
    .replace(/<\/?[a-z!][^>]*>?/gi, '')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_match, name: string) => ENTITIES[name] ?? '');
  return toVisibleText(text)
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
