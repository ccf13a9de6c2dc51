/** Pictures that wait for their turn. */
const waiting: (() => Promise<void>)[] = [];
let isRunning = false;
/** How long the others wait for one picture, in milliseconds. */
const TURN_MS = 2000;

async function run(): Promise<void> {
  if (isRunning) return;
  isRunning = true;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    await Promise.race([next(), new Promise((resolve) => setTimeout(resolve, TURN_MS))]);
    // One picture for a frame: drawing many at once makes the window stand still.
    await new Promise(requestAnimationFrame);
  }
  isRunning = false;
}

/**
 * Loads and decodes a picture once its place is near, one after the other, and reports whether that succeeded. Returns what takes it
 * back.
 */
export function decodeInTurn(place: Element, url: string, report: (isWhole: boolean) => void): () => void {
  let isGone = false;
  const decode = async (): Promise<void> => {
    if (isGone) return;
    const picture = new Image();
    picture.src = url;
    const isWhole = await picture.decode().then(
      () => true,
      () => false,
    );
    if (!isGone) report(isWhole);
  };
  const watch = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      watch.disconnect();
      waiting.push(decode);
      void run();
    },
    { rootMargin: '200px' },
  );
  watch.observe(place);
  return () => {
    isGone = true;
    watch.disconnect();
  };
}
