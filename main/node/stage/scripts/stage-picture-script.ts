/** The longer side of a picture of the stage, in pixels: models get no use out of more. */
export const MAX_PICTURE_SIDE_PX = 1024;
/** How much larger than on the page it is drawn at most: in a small panel the letters could not be read. */
const MAX_SCALE = 3;
/** The most characters (base64) of a picture that a page sends, so that it fits a frame of its socket. */
export const MAX_PICTURE_CHARACTERS = 700_000;

/** A busy machine without a graphics card takes seconds. In the page; the app waits a little longer. */
export const PICTURE_TIMEOUT_MS = 5_000;

/** What decides how an element looks. Animations are left out: the values are those of this moment. */
const PROPERTIES = [
  ...['display', 'position', 'top', 'right', 'bottom', 'left', 'float', 'z-index', 'box-sizing', 'width', 'height'],
  ...['min-width', 'min-height', 'max-width', 'max-height', 'margin', 'padding', 'overflow', 'visibility', 'opacity'],
  ...['border-top', 'border-right', 'border-bottom', 'border-left', 'border-radius', 'border-image', 'outline'],
  ...['background-color', 'background-image', 'background-size', 'background-position', 'background-repeat'],
  ...['background-clip', '-webkit-background-clip', 'background-origin', 'box-shadow', 'filter', 'backdrop-filter'],
  ...['mix-blend-mode', 'isolation', 'clip-path', 'mask-image', 'mask-size', 'mask-position', 'mask-repeat'],
  ...['transform', 'transform-origin', 'translate', 'rotate', 'scale', 'perspective', 'perspective-origin'],
  ...['flex', 'flex-direction', 'flex-wrap', 'align-items', 'align-self', 'align-content', 'justify-content', 'order'],
  ...['justify-items', 'justify-self', 'gap', 'grid-template-columns', 'grid-template-rows', 'grid-column', 'grid-row'],
  ...['color', 'font-family', 'font-size', 'font-weight', 'font-style', 'font-variant', 'line-height', 'direction'],
  ...[
    'letter-spacing',
    'word-spacing',
    'text-align',
    'text-indent',
    'text-transform',
    'text-decoration',
    'text-shadow',
  ],
  ...['text-overflow', 'white-space', 'word-break', 'overflow-wrap', 'line-break', 'writing-mode', 'vertical-align'],
  ...[
    '-webkit-text-stroke',
    '-webkit-text-fill-color',
    'paint-order',
    'object-fit',
    'object-position',
    'fill',
    'stroke',
  ],
];

/**
 * Part of the bridge: draws the page as it is now, for a host without a camera. A copy of the page with the computed styles is
 * drawn as an SVG image, in which no script runs and nothing is loaded, with canvases and films as they are. Pictures and fonts
 * of this server are put into it within limits; text in a larger font gets one of the system. Libraries that do this copy all
 * of 400 properties for each of the engine's glyphs, have no limits, and need a build step.
 */
export const PICTURE = String.raw`const MAX_SIDE = ${MAX_PICTURE_SIDE_PX};
  const MAX_SCALE = ${MAX_SCALE};
  const MAX_ELEMENTS = 4000;
  const MAX_FILE = 3e6;
  const MAX_FILES = 9e6;
  const PROPERTIES = '${PROPERTIES.join(' ')}'.split(' ');
  const toWritten = (text) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu, '');
  const toBase64 = (blob) => new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = reject;
    reader.readAsDataURL(blob);
  });
  const toLoaded = (source) => new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = reject;
    image.src = source;
  });
  /** Returns a function that reads files of this server as addresses of their own bytes; empty for all others. */
  const createFiles = () => {
    const known = new Map();
    let left = MAX_FILES;
    const load = async (address) => {
      if (address === '') return '';
      if (/^data:/i.test(address)) return address.length > MAX_FILE ? '' : address;
      try {
        const { protocol, host } = new URL(address, document.baseURI);
        if (protocol !== 'blob:' && host !== location.host) return '';
        const stop = new AbortController();
        const reply = await fetch(address, { signal: stop.signal });
        const length = Number(reply.headers.get('content-length') || 0);
        if (!reply.ok || length > MAX_FILE || length > left) { stop.abort(); return ''; }
        const blob = await reply.blob();
        if (blob.size > MAX_FILE || blob.size > left) return '';
        left -= blob.size;
        return await toBase64(blob);
      } catch { return ''; }
    };
    return (address) => {
      if (!known.has(address)) known.set(address, known.size < 60 ? load(address) : Promise.resolve(''));
      return known.get(address);
    };
  };
  const ADDRESS = /url\("((?:[^"\\]|\\.)*)"\)/g;
  const withFiles = async (css, files) => {
    const loaded = await Promise.all([...css.matchAll(ADDRESS)].map(([, address]) => files(address)));
    return css.replace(ADDRESS, () => 'url("' + loaded.shift() + '")');
  };
  /** Copies the elements of the page that are shown, with their styles as rules of few classes: glyphs share them. */
  const copyPage = (scale) => {
    const inert = document.implementation.createHTMLDocument('');
    const rules = new Map();
    const images = [];
    const work = [];
    let elements = 0;
    const toRule = (style) => {
      const css = PROPERTIES.map((name) => [name, style.getPropertyValue(name)]).filter(([, value]) => value !== '')
        .map(([name, value]) => name + ':' + value).join(';');
      if (!rules.has(css)) rules.set(css, 's' + rules.size);
      return rules.get(css);
    };
    const toPixels = (element) => {
      const canvas = document.createElement('canvas');
      const { width, height } = element.getBoundingClientRect();
      canvas.width = Math.max(1, Math.min(MAX_SIDE, Math.round(width * scale)));
      canvas.height = Math.max(1, Math.min(MAX_SIDE, Math.round(height * scale)));
      try {
        canvas.getContext('2d').drawImage(element, 0, 0, canvas.width, canvas.height);
        return canvas.toDataURL('image/png');
      } catch { return ''; }
    };
    const addShown = (copy, element, name) => {
      const style = getComputedStyle(element, name);
      const text = /^"(.*)"$/s.exec(style.content);
      if (!text || style.display === 'none') return;
      const shown = inert.createElement('span');
      shown.setAttribute('class', toRule(style));
      shown.textContent = toWritten(text[1].replace(/\\(.)/g, '$1'));
      copy.append(shown);
    };
    /** Another typeface is wider or narrower, and would break a line of the page. */
    const isOneLine = (text) => {
      const range = document.createRange();
      range.selectNodeContents(text);
      return range.getClientRects().length === 1 && text.data.trim() === text.data;
    };
    const toCopy = (element) => {
      const style = getComputedStyle(element);
      if (style.display === 'none') return null;
      const name = element.localName;
      if (/^(script|style|link|iframe|object|embed|noscript|audio|template)$/.test(name)) return null;
      const isPicture = /^(canvas|video|img)$/.test(name);
      const isDrawing = element.namespaceURI === 'http://www.w3.org/2000/svg';
      const copy = isDrawing ? inert.importNode(element, false) : inert.createElement(isPicture ? 'img' : /^(input|textarea|br)$/.test(name) ? name : 'div');
      if (isDrawing) for (const { name: attribute } of [...copy.attributes]) if (/^(on|style$|id$|href$|xlink)/i.test(attribute)) copy.removeAttribute(attribute);
      copy.setAttribute('class', toRule(style));
      if (name === 'input') copy.setAttribute('value', toWritten(element.value));
      if (name === 'textarea') copy.textContent = toWritten(element.value);
      if (name === 'img') images.push([copy, element.currentSrc]);
      else if (isPicture) copy.setAttribute('src', toPixels(element));
      else if (!/^(input|textarea)$/.test(name)) work.push([copy, element]);
      return copy;
    };
    const body = toCopy(document.body);
    while (work.length > 0) {
      const [copy, element] = work.pop();
      addShown(copy, element, '::before');
      for (const child of element.childNodes) {
        if (child.nodeType === 3) {
          copy.append(toWritten(child.data));
          if (child.data.length > 1 && isOneLine(child)) copy.setAttribute('style', 'white-space:pre');
        }
        if (child.nodeType !== 1 || (elements += 1) > MAX_ELEMENTS) continue;
        const inner = toCopy(child);
        if (inner) copy.append(inner);
      }
      addShown(copy, element, '::after');
    }
    return { body, images, css: [...rules].map(([css, name]) => '.' + name + '{' + css + '}').join('') };
  };
  /** A font that the page has not loaded is not shown, and those of Chinese have 10 MB. */
  const isSmall = (address) => performance.getEntriesByName(address).some(({ encodedBodySize: size }) => size > 0 && size <= MAX_FILE);
  const findFonts = (css) => [...document.styleSheets].flatMap((sheet) => {
    try {
      return [...sheet.cssRules].filter((rule) => rule instanceof CSSFontFaceRule && css.includes(rule.style.getPropertyValue('font-family').replace(/["']/g, '')))
        .map((rule) => rule.cssText.replace(ADDRESS, (_, address) => 'url("' + new URL(address, sheet.href || document.baseURI) + '")'))
        .filter((rule) => [...rule.matchAll(ADDRESS)].every(([, address]) => isSmall(address)));
    } catch { return []; }
  }).slice(0, 20);
  const drawPage = async () => {
    const scale = Math.min(MAX_SCALE, MAX_SIDE / Math.max(innerWidth, innerHeight, 1));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(innerWidth * scale));
    canvas.height = Math.max(1, Math.round(innerHeight * scale));
    const { body, images, css } = copyPage(scale);
    const files = createFiles();
    await Promise.all(images.map(async ([copy, address]) => copy.setAttribute('src', await files(address))));
    const style = document.implementation.createHTMLDocument('').createElement('style');
    const fonts = await Promise.all(findFonts(css).map((rule) => withFiles(rule, files)));
    style.textContent = fonts.join('') + await withFiles(css, files);
    const write = (node) => new XMLSerializer().serializeToString(node);
    const size = ' width="' + innerWidth + '" height="' + innerHeight + '"';
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="' + canvas.width + '" height="' + canvas.height + '" viewBox="0 0 ' + innerWidth + ' ' + innerHeight + '"><foreignObject' + size + '>' + write(style) + write(body) + '</foreignObject></svg>';
    const image = await toLoaded('data:image/svg+xml;charset=utf-8,' + encodeURIComponent(svg));
    const context = canvas.getContext('2d');
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    for (const quality of [0.8, 0.5, 0.2]) {
      const data = canvas.toDataURL('image/jpeg', quality).split(',')[1];
      if (data.length <= ${MAX_PICTURE_CHARACTERS}) return data;
    }
    throw new Error('The picture is too large.');
  };
  let drawing = null;
  orders.picture = async () => {
    // One that took too long is the answer to the next order.
    drawing = drawing || drawPage().finally(() => { drawing = null; });
    const picture = await Promise.race([drawing, wait(${PICTURE_TIMEOUT_MS})]);
    return picture === undefined ? fail('no-answer') : { picture, state: read() };
  };`;
