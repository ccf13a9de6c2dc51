/** Quotes and lists within each other. More is no text for a reader, and drawing thousands ends the page. */
const MAX_CONTAINERS = 20;
/** Elements of a tree within each other: a list in a list is two. */
const MAX_DEPTH = 3 * MAX_CONTAINERS;
const CONTAINERS = new RegExp(String.raw`^[ \t]*(?:>[ \t]*|(?:[-+*]|\d{1,9}[.)])[ \t]+){${MAX_CONTAINERS + 1},}`, 'm');
/** Links or pictures that begin within each other. */
const BRACKETS = new RegExp(String.raw`(?:!?\[){${MAX_CONTAINERS + 1},}`);

interface MarkdownNode {
  type: string;
  value?: string;
  children?: MarkdownNode[];
}

/** True for Markdown with too many quotes, lists or links within each other, which would already take long to parse. */
export const isDeeplyNested = (text: string): boolean => CONTAINERS.test(text) || BRACKETS.test(text);

/** A remark plugin that shows what is nested too deeply otherwise, for example emphasis in emphasis, as its source. */
export function remarkShallow(): (tree: unknown, file: { toString(): string }) => void {
  return (tree, file) => {
    const root = tree as MarkdownNode;
    // A loop: recursion over the tree is what would fail.
    let level = [root];
    for (let depth = 0; level.length > 0; depth += 1) {
      if (depth > MAX_DEPTH) {
        root.children = [{ type: 'code', value: file.toString() }];
        return;
      }
      level = level.flatMap(({ children }) => children ?? []);
    }
  };
}
