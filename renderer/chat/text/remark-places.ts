import { findPlaces, toPlaceHref } from './place-links.ts';

interface MarkdownNode {
  type: string;
  value?: string;
  url?: string;
  children?: MarkdownNode[];
}

/** A remark plugin that links scene files named in prose or in `code`. */
export function remarkPlaces(options: { knownPaths: readonly string[] }): (tree: unknown) => void {
  return (tree) => linkPlaces(tree as MarkdownNode, options.knownPaths);
}

function linkPlaces(node: MarkdownNode, knownPaths: readonly string[]): void {
  if (!node.children || node.type === 'link') return;
  node.children = node.children.flatMap((child) => {
    if (child.type === 'text' || child.type === 'inlineCode') return splitText(child, knownPaths);
    linkPlaces(child, knownPaths);
    return [child];
  });
}

function splitText(node: MarkdownNode, knownPaths: readonly string[]): MarkdownNode[] {
  const text = node.value ?? '';
  const places = findPlaces(text, knownPaths);
  if (places.length === 0) return [node];
  const parts: MarkdownNode[] = [];
  let from = 0;
  for (const place of places) {
    if (place.start > from) parts.push({ type: node.type, value: text.slice(from, place.start) });
    const label = { type: 'text', value: text.slice(place.start, place.end) };
    parts.push({ type: 'link', url: toPlaceHref(place), children: [label] });
    from = place.end;
  }
  if (from < text.length) parts.push({ type: node.type, value: text.slice(from) });
  return parts;
}
