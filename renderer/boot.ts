import './ui/splash.css';

/** A page in the background has no frames: then the program is not kept waiting for one. */
const LONGEST_WAIT_MS = 100;

let hasStarted = false;

/** The page's first frame shows the splash; the program and its styles, a hundred times as large, come after it. */
function start(): void {
  if (hasStarted) return;
  hasStarted = true;
  void import('./main.tsx');
}

requestAnimationFrame(() => setTimeout(start));
setTimeout(start, LONGEST_WAIT_MS);
