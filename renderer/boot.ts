import './ui/theme/splash.css';

/** Fallback timeout: a background page gets no animation frame. */
const MAX_WAIT_MS = 100;

let hasStarted = false;

/** Loads the program after the first frame, which shows the splash: the program is about a hundred times as large. */
function start(): void {
  if (hasStarted) return;
  hasStarted = true;
  void import('./main.tsx');
}

requestAnimationFrame(() => setTimeout(start));
setTimeout(start, MAX_WAIT_MS);
