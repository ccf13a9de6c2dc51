let isEnding = false;

/** True once this thread is about to end: what its browser says from then on is no answer. */
export function isThreadEnding(): boolean {
  return isEnding;
}

/** Ends this thread once `last` is done, at once without it, and with its pipe the browser. Later calls do nothing. */
export function endThread(last?: Promise<void>): void {
  if (isEnding) return;
  isEnding = true;
  const exit = () => process.exit(1);
  if (last) void last.then(exit, exit);
  else exit();
}
