/**
 * Part of the script in the page of a playtest: files that styles of elements draw, such as the picture of an `intro`. Browsers
 * request them when they lay out the element, which a playtest does not: each is asked for here, without its content.
 */
export const DRAWN_FILES_SCRIPT = `
  const MOST_DRAWN = 10000;
  const drawn = new Set();
  const askFor = (style) => {
    // The quotes are those of every browser, whatever the page wrote.
    for (const [, written] of style.cssText.matchAll(/url\\("((?:[^"\\\\]|\\\\.)+)"\\)/g)) {
      const address = written.replace(/\\\\(.)/g, '$1');
      if (drawn.has(address) || drawn.size >= MOST_DRAWN || /^(data|blob):|^#|\\/$/.test(address)) continue;
      drawn.add(address);
      globalThis.fetch(address, { method: 'HEAD' }).catch(() => {});
    }
  };
  const STYLED = '[style*="url("]';
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      for (const node of type === 'attributes' ? [target] : addedNodes) {
        if (!(node instanceof Element)) continue;
        if (node.matches(STYLED)) askFor(node.style);
        if (type === 'childList') for (const inner of node.querySelectorAll(STYLED)) askFor(inner.style);
      }
    }
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['style'] });
`;
