/** True if the focus is on no element, or on one around this one: a region that keeps it for an element that disappeared. */
export function isFocusAround(element: Element | null): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement.contains(element);
}
