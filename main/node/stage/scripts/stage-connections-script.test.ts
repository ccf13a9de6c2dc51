import { createContext, runInContext } from 'node:vm';
import { afterEach, expect, it } from 'vitest';
import { CONNECTIONS, SCRIPT_PRELUDE, WAIT_SCRIPT } from './stage-connections-script.ts';

/** The waits of the pages of a test. Ended with it: a page waits again and again, also beside later tests that hold the clock. */
const waits = new Set<NodeJS.Timeout>();
afterEach(() => {
  for (const wait of waits) clearTimeout(wait);
  waits.clear();
});

/** A process as Chromium counts: connections that are kept somewhere, and those whose memory is not freed yet. */
function createProcess() {
  const process = { kept: 0, garbage: 0, isStubborn: false };
  const free = () => {
    if (!process.isStubborn) process.garbage = 0;
  };
  return {
    process,
    free,
    /** Opens a page; the connections of the page before are garbage from then on. */
    openPage(userAgent = 'Code/1.99.0 Chrome/134.0 Electron/35.1.0') {
      process.garbage += process.kept;
      process.kept = 0;
      const written: string[] = [];
      class RTCPeerConnection {
        constructor() {
          if (process.kept + process.garbage >= 500) throw new Error('Cannot create so many PeerConnections');
          process.kept += 1;
        }
        close() {}
      }
      class Block {
        constructor() {
          free();
        }
      }
      // Of the page, because its scripts change them.
      class Target extends EventTarget {
        override addEventListener(...listening: Parameters<EventTarget['addEventListener']>) {
          super.addEventListener(...listening);
        }
      }
      const timeout = (milliseconds: number) => {
        const signal = new Target();
        waits.add(setTimeout(() => signal.dispatchEvent(new Event('abort')), milliseconds));
        return signal;
      };
      const context = createContext({
        ...{ RTCPeerConnection, ArrayBuffer: Block, EventTarget: Target, AbortSignal: { timeout } },
        navigator: { userAgent },
        document: { write: (html: string) => written.push(html) },
      });
      const run = (script: string): unknown => runInContext(script, context);
      run(`(() => { 'use strict'; ${CONNECTIONS} })();`);
      return { run, written };
    },
  };
}

/** Ends like the engine's library: `names` of its parameters, then the compiled form of an expression. */
const compile = (code: string) =>
  `new Function('$filter', 'getStringValue', 'ifDefined', 'plus', ${JSON.stringify(code)})`;

// What the library makes of these expressions.
const ORDINARY = [
  // a>1
  `"use strict"; var fn=function(s,l,a,i){var v0,v1=l&&('a' in l);if(!(v1)){if((s) && ((s.a==null) || ((Object.prototype.hasOwnProperty.call(s,'a'))))){v0=s.a;}}return (v0)>(1);};return fn;`,
  // random(1,5)
  `"use strict"; var fn=function(s,l,a,i){var v0,v1,v2,v4,v5;v2=s;v1=s.random;if(v1!=null){v4=1;v5=5;v0=(v2.random === null ? null : v2.random.call(v2,v4,v5));}return v0;};return fn;`,
  // 'v1.constructor[v2]'==a
  `"use strict"; var fn=function(s,l,a,i){var v0;v0=s.a;return ('v1.constructor[v2]')==(v0);};return fn;`,
  // [1,a]
  `"use strict"; var fn=function(s,l,a,i){var v0,v1;v0=1;v1=s.a;return [v0,v1];};return fn;`,
];
const UNUSUAL = [
  // 'x'|toString
  `"use strict"; var v1=$filter('toString');var fn=function(s,l,a,i){var v0,v2;v2='x';v0=v1.call(v1,v2);return v0;};return fn;`,
  // [].constructor
  `"use strict"; var fn=function(s,l,a,i){var v4,v5;v4=[];v5=v4.constructor;return v5;};return fn;`,
  // ''['at']
  `"use strict"; var fn=function(s,l,a,i){var v5,v6,v7;v5='';v7='at';v6=v5[v7];return v6;};return fn;`,
  // random.call(1)
  `"use strict"; var fn=function(s,l,a,i){var v0,v2,v4;v2=s.random;v4=1;v0=v2.call.call(v2,v4);return v0;};return fn;`,
  // {['a'+'b']:1}
  `"use strict"; var fn=function(s,l,a,i){var v0,v1,v2;v0={};v1=plus('a','b');v2=1;v0[v1]=v2;return v0;};return fn;`,
];

it('takes all connections before a script of a game, and none for a game without scripts', () => {
  const { process, openPage } = createProcess();
  const { run } = openPage();
  expect(process.kept).toBe(0);
  run(SCRIPT_PRELUDE);
  expect(process.kept).toBe(500);
});

it.each(ORDINARY)('takes none for an ordinary expression: %s', (code) => {
  const { process, openPage } = createProcess();
  openPage().run(compile(code));
  expect(process.kept).toBe(0);
});

it.each(UNUSUAL)('takes all before an expression that reaches into objects is compiled: %s', (code) => {
  const { process, openPage } = createProcess();
  const { run } = openPage();
  run(compile(code).replace('new ', ''));
  expect(process.kept).toBe(500);
});

it('leaves other compiled functions alone, and is a function like the one before', () => {
  const { process, openPage } = createProcess();
  const { run } = openPage();
  expect(run("new Function('ud', 'uv', 'var v1 = ud; return v1.a[uv];')({ a: [7] }, 0)")).toBe(7);
  expect(run('(() => 1) instanceof Function && Function.prototype.constructor !== Function')).toBe(true);
  expect(process.kept).toBe(0);
});

it('keeps the library from running expressions without compiling them', () => {
  const { run } = createProcess().openPage();
  expect(() => run("'use strict'; Object.prototype.csp = true;")).toThrow('redefine');
  expect(run('const options = {}; options.csp = 5; [({}).csp, options.csp, { csp: 6 }.csp]')).toEqual([
    undefined,
    5,
    6,
  ]);
});

it('waits on the next page until those of the page before are free', () => {
  const { process, openPage } = createProcess();
  openPage().run(SCRIPT_PRELUDE);
  const { run, written } = openPage();
  run(WAIT_SCRIPT);
  expect([process.kept, process.garbage]).toEqual([0, 0]);
  expect(written).toEqual(['<script src="/__stage/wait?1"></script>']);
  run(WAIT_SCRIPT);
  expect([process.kept, written.length]).toEqual([500, 1]);
});

it('ends scripts and expressions with an error while one may be left, and waits no longer than a moment', () => {
  const { process, openPage } = createProcess();
  openPage().run(SCRIPT_PRELUDE);
  process.isStubborn = true;
  const { run, written } = openPage();
  run(WAIT_SCRIPT);
  for (let wait = 0; wait < 100 && written.length > wait; wait += 1) run(WAIT_SCRIPT);
  expect(written).toHaveLength(20);
  expect(() => run(`${SCRIPT_PRELUDE}globalThis.ran = true;`)).toThrow('Reload the stage');
  expect(() => run(compile(UNUSUAL[0] ?? ''))).toThrow('Reload the stage');
  expect(run('globalThis.ran')).toBeUndefined();
  run(compile(ORDINARY[0] ?? ''));
});

it('neither waits nor ends scripts in the desktop window, where a connection reaches nothing', async () => {
  const { process, openPage } = createProcess();
  openPage().run(SCRIPT_PRELUDE);
  process.isStubborn = true;
  const { run, written } = openPage('WebGALAgent/0.1.0 Chrome/130.0 Electron/33.2.1');
  run(WAIT_SCRIPT);
  run(`${SCRIPT_PRELUDE}globalThis.ran = true;`);
  expect([run('globalThis.ran'), written.length, process.kept]).toEqual([true, 0, 0]);
  process.isStubborn = false;
  await expect.poll(() => process.kept).toBe(500);
});

it('takes what becomes free later although the game replaces methods and ends timers', async () => {
  const { process, openPage } = createProcess();
  openPage().run(SCRIPT_PRELUDE);
  process.isStubborn = true;
  const { run } = openPage();
  expect(() => run(SCRIPT_PRELUDE)).toThrow();
  run(`Array.prototype.push = RTCPeerConnection.prototype.close = Function.prototype.call = () => { throw 1; };
    AbortSignal.timeout = () => null; EventTarget.prototype.addEventListener = null; delete globalThis.RTCPeerConnection;`);
  process.isStubborn = false;
  await expect.poll(() => process.kept).toBe(500);
});
