/** True while a dialog covers the page: the focus stays in it. */
export const isPageCovered = (): boolean => document.querySelector('[role="dialog"][aria-modal="true"]') !== null;
