/**
 * Scripts of a game that fill memory without end, by what they fill: the process of its own page, which never rests meanwhile; the one
 * that draws; the main process of the browser or of the app.
 */
export const HOARDS = {
  'of its page, and never rests': 'const kept = []; for (;;) kept.push(new Uint8Array(16e6).fill(7));',
  'of the program that draws': `{
    const kept = [];
    const gl = document.createElement('canvas').getContext('webgl2');
    const data = new Uint8Array(64e6).fill(9);
    setInterval(() => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      gl.finish();
      kept.push(buffer);
    });
  }`,
  'of the main program': `{
    const kept = [];
    const part = new Uint8Array(64e6).fill(7);
    setInterval(() => kept.push(new Blob([part])));
  }`,
} as const;
