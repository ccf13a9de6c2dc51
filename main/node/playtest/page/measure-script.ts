/**
 * Part of the script in the page of a playtest: whether a text fits the text box of the game, in its template, font and size. The
 * engine drops rows that are too many, hides what is below the box, and draws a word that is longer than a row out of it.
 */
export const MEASURE_SCRIPT = `
  let overflows = [];
  /** Their characters, and how many are reported at once. */
  let overflowing = 0;
  const MOST_OVERFLOWING = 200000;
  let measured = '';
  let hasFonts = false;
  /** Shorter texts fit in any box. In halves of a wide character. */
  const SHORT = 40;
  /** By size of the text and picture beside it: the width of the longest text that fitted. */
  const fitting = new Map();
  /** Words that do not break take more space than their letters. */
  const SAFETY = 0.8;
  /** Letters without a place to break: they may be longer than a row. */
  const LONG_WORD = /[!-\\u10ff]{25}/;
  const widthOf = (text) => [...text].reduce((sum, one) => sum + (one.codePointAt(0) < 0x1100 ? 1 : 2), 0);
  const glyphText = (glyph) => {
    // A glyph is drawn in up to three layers; the first holds its text.
    const node = document.createTreeWalker(glyph, NodeFilter.SHOW_TEXT).nextNode();
    return node ? node.data : '';
  };
  /** A box that moves, as for a picture beside the text, moves in real time, which the story does not wait for. */
  const arrive = (element) => {
    for (let each = element; each; each = each.parentElement) {
      for (const animation of each.getAnimations()) {
        // One without an end stays as it is.
        try { animation.finish(); } catch { /* It has no end. */ }
      }
    }
  };
  const measureText = async () => {
    const state = getState();
    const stage = state && state.stage;
    if (!stage || typeof stage.showText !== 'string' || stage.showText === '') return;
    const key = stage.currentDialogKey + stage.showText;
    if (key === measured) return;
    measured = key;
    const rows = stage.showText.split(/(?<!\\\\)\\|/);
    const width = widthOf(stage.showText);
    const layout = stage.showTextSize + ':' + (stage.miniAvatar === '');
    const isPlain = rows.length < 2 && !/[\\[\\]]/.test(stage.showText) && !LONG_WORD.test(stage.showText);
    if (isPlain && (width < SHORT || width < (fitting.get(layout) || 0) * SAFETY)) return;
    const box = document.querySelector('#textBoxMain > div:last-child');
    if (!box || overflows.length >= 1000 || overflowing > MOST_OVERFLOWING) return;
    unseen.media = 'not all';
    try {
      if (!hasFonts) {
        // The first layout requests the fonts.
        box.getBoundingClientRect();
        await sleep(50);
        await document.fonts.ready;
        hasFonts = true;
      }
      arrive(box);
      const { bottom, height } = box.getBoundingClientRect();
      if (height === 0) return;
      // The box of the text grows with a word that does not break; its frame does not.
      const edge = Math.min(innerWidth, document.getElementById('textBoxMain').getBoundingClientRect().right);
      let [shown, hidden] = ['', ''];
      for (const row of box.children) {
        for (const glyph of row.children) {
          const area = glyph.getBoundingClientRect();
          const text = glyphText(glyph);
          // What follows a word that goes out of its row counts with it: a line is divided in one place.
          if (hidden !== '' || (area.height > 0 && (area.top + area.bottom) / 2 > bottom)) hidden += text;
          else if (area.width > 0 && area.right > edge + 1) {
            const fits = Math.max(0, Math.floor((text.length * (edge - area.left)) / area.width));
            shown += text.slice(0, fits);
            hidden += text.slice(fits);
          } else shown += text;
        }
      }
      hidden += rows.slice(box.children.length).join('|');
      if (hidden === '' && isPlain) fitting.set(layout, Math.max(width, fitting.get(layout) || 0));
      if (hidden.trim() !== '') {
        overflows.push({ ...lastPlayed, shown, hidden });
        overflowing += shown.length + hidden.length;
      }
    } finally { unseen.media = ''; }
  };
`;
