import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { STILL_FRAMES, STILL_PAUSE_MS, STILL_SCRIPT } from './stage-still-script.ts';

/** Creates a page with a fake clock and a fake context; `frame` runs the requested frames, `pass` the timeouts. */
function openPage() {
  const frames = new Map<number, (time: number) => void>();
  const timeouts = new Map<number, { act: () => void; delay: number }>();
  const listeners = new Map<string, () => void>();
  let last = 0;
  let onMutation = () => {};
  const calls: unknown[][] = [];
  class Extension {
    drawInstanced(...values: unknown[]) {
      calls.push(['drawInstanced', ...values]);
    }
  }
  const extension = new Extension();
  class Gl {
    bufferSubData(target: number, offset: number, data: Uint8Array | Float32Array) {
      calls.push(['bufferSubData', target, offset, [...data.slice(0, 8)]]);
    }
    texImage2D(..._values: unknown[]) {
      calls.push(['texImage2D']);
    }
    uniform1f(_place: object, value: number) {
      calls.push(['uniform1f', value]);
    }
    drawElements(..._values: unknown[]) {
      calls.push(['drawElements']);
    }
    getError() {}
    getParameter() {
      calls.push(['getParameter']);
    }
    getExtension() {
      return extension;
    }
  }
  class Canvas {
    size = 300;
    get width() {
      return this.size;
    }
    set width(size: number) {
      this.size = size;
    }
    get height() {
      return this.size;
    }
    set height(_size: number) {}
    toDataURL() {}
    toBlob() {}
  }
  const page = {
    HTMLCanvasElement: Canvas,
    document: {},
    WebGLRenderingContext: Gl,
    requestAnimationFrame: (callback: (time: number) => void): number => {
      last += 1;
      frames.set(last, callback);
      return last;
    },
    cancelAnimationFrame: (id: number) => void frames.delete(id),
    setTimeout: (act: (...values: unknown[]) => void, delay: number, ...values: unknown[]) => {
      last += 1;
      timeouts.set(last, { act: () => act(...values), delay });
      return last;
    },
    clearTimeout: (id: number) => void timeouts.delete(id),
    addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
    MutationObserver: class {
      constructor(listener: () => void) {
        onMutation = listener;
      }
      observe() {}
    },
  };
  runInNewContext(STILL_SCRIPT, page);
  return {
    page,
    gl: new Gl(),
    canvas: new Canvas(),
    calls,
    frames,
    timeouts,
    frame(times = 1) {
      for (let count = 0; count < times; count += 1) {
        const now = [...frames.values()];
        frames.clear();
        for (const run of now) run(count);
      }
    },
    pass() {
      const now = [...timeouts.values()];
      timeouts.clear();
      for (const { act } of now) act();
    },
    act: (name: string) => listeners.get(name)?.(),
    mutate: () => onMutation(),
  };
}

/** Starts a loop that draws `draw` each frame. */
function startLoop({ page, gl }: ReturnType<typeof openPage>, draw: (count: number) => void) {
  const loop = { frames: 0 };
  const tick = () => {
    loop.frames += 1;
    draw(loop.frames);
    gl.drawElements(4, 6);
    page.requestAnimationFrame(tick);
  };
  page.requestAnimationFrame(tick);
  return loop;
}

const STILL = STILL_FRAMES + 1;

interface Drawing {
  drawInstanced(...values: unknown[]): void;
}

describe('a loop that draws', () => {
  it('rests between frames after a number of equal pictures', () => {
    const opened = openPage();
    const data = new Float32Array([1, 2, 3]);
    const loop = startLoop(opened, () => opened.gl.bufferSubData(1, 0, data));
    opened.frame(STILL);
    expect(loop.frames).toBe(STILL);
    expect([...opened.timeouts.values()]).toMatchObject([{ delay: STILL_PAUSE_MS }]);
    opened.frame(10);
    expect(loop.frames).toBe(STILL);
    opened.pass();
    opened.frame();
    expect(loop.frames).toBe(STILL + 1);
  });

  const data = new Float32Array(4);
  const bytes = new Uint8Array(7).subarray(1);
  it.each<[string, (opened: ReturnType<typeof openPage>, count: number) => void]>([
    ['a number', ({ gl }, count) => gl.uniform1f({}, count / 1000)],
    ['data', ({ gl }, count) => gl.bufferSubData(1, 0, Object.assign(data, { 2: count }))],
    ['bytes that are not aligned', ({ gl }, count) => gl.bufferSubData(1, 0, Object.assign(bytes, { 5: count }))],
    ['large data', ({ gl }) => gl.bufferSubData(1, 0, new Uint8Array(2_000_000))],
    ['a video, whose picture is not compared', ({ gl }) => gl.texImage2D(1, {})],
    ['an object', ({ gl }) => gl.uniform1f({}, 1)],
  ])('goes on while it changes: %s', (_name, draw) => {
    const opened = openPage();
    const loop = startLoop(opened, (count) => draw(opened, count));
    opened.frame(STILL * 3);
    expect(loop.frames).toBe(STILL * 3);
  });

  it('goes on at once when the picture of a rare frame differs', () => {
    const opened = openPage();
    let value = 1;
    const place = {};
    const loop = startLoop(opened, () => opened.gl.uniform1f(place, value));
    opened.frame(STILL);
    value = 2;
    opened.pass();
    opened.frame(5);
    expect(loop.frames).toBe(STILL + 5);
  });

  it.each(['pointerdown', 'keydown', 'message', 'visibilitychange'])('is woken by %s', (name) => {
    const opened = openPage();
    const loop = startLoop(opened, () => {});
    opened.frame(STILL);
    opened.act(name);
    opened.frame(5);
    expect(loop.frames).toBe(STILL + 1);
  });

  it('is woken by a change of the page', () => {
    const opened = openPage();
    const loop = startLoop(opened, () => {});
    opened.frame(STILL);
    opened.mutate();
    opened.frame(5);
    expect(loop.frames).toBe(STILL + 1);
  });

  it('draws nothing while it rests', () => {
    const opened = openPage();
    const loop = startLoop(opened, () => opened.gl.uniform1f(opened, 1));
    opened.frame(STILL);
    opened.calls.length = 0;
    for (let count = 0; count < 5; count += 1) {
      opened.pass();
      opened.frame();
    }
    expect(loop.frames).toBe(STILL + 5);
    expect(opened.calls).toEqual([]);
  });

  it('makes up for what was withheld when a later call of a picture differs', () => {
    const opened = openPage();
    const data = new Float32Array([1, 2]);
    let value = 1;
    startLoop(opened, () => {
      data[0] = 1;
      opened.gl.bufferSubData(1, 0, data);
      // The page uses its array again before the first difference.
      data[0] = 9;
      opened.gl.uniform1f(opened, value);
    });
    opened.frame(STILL);
    opened.calls.length = 0;
    value = 2;
    opened.pass();
    opened.frame();
    expect(opened.calls).toEqual([['bufferSubData', 1, 0, [1, 2]], ['uniform1f', 2], ['drawElements']]);
  });

  it('makes up for what was withheld when a picture has fewer calls', () => {
    const opened = openPage();
    let isLong = true;
    startLoop(opened, () => {});
    const tick = () => {
      opened.gl.drawElements(4, 6);
      if (isLong) opened.gl.uniform1f(opened, 1);
      opened.page.requestAnimationFrame(tick);
    };
    opened.page.requestAnimationFrame(tick);
    opened.frame(STILL);
    opened.calls.length = 0;
    isLong = false;
    opened.pass();
    opened.frame();
    expect(opened.calls).toEqual([['drawElements']]);
  });

  it('carries calls out before the state is asked for', () => {
    const opened = openPage();
    startLoop(opened, () => {
      opened.gl.uniform1f(opened, 1);
      opened.gl.getParameter();
    });
    opened.frame(STILL);
    opened.calls.length = 0;
    opened.pass();
    opened.frame();
    expect(opened.calls).toEqual([['uniform1f', 1], ['getParameter'], ['drawElements']]);
  });

  it('draws again after a call from elsewhere', () => {
    const opened = openPage();
    const loop = startLoop(opened, () => {});
    opened.frame(STILL);
    opened.gl.uniform1f(opened, 1);
    opened.pass();
    opened.frame(5);
    expect(loop.frames).toBe(STILL + 5);
  });

  it('draws again after a canvas was cleared by a new size', () => {
    const opened = openPage();
    const loop = startLoop(opened, () => {});
    opened.frame(STILL);
    opened.canvas.width = 640;
    opened.pass();
    opened.frame(5);
    expect(loop.frames).toBe(STILL + 5);
    expect(opened.canvas.width).toBe(640);
  });

  it('goes on while an extension draws other pictures', () => {
    const opened = openPage();
    const loop = startLoop(opened, (count) => (opened.gl.getExtension() as never as Drawing).drawInstanced(count));
    opened.frame(STILL * 2);
    expect(loop.frames).toBe(STILL * 2);
  });

  it('can be cancelled while it rests, and after the pause', () => {
    const opened = openPage();
    let id = 0;
    const tick = () => {
      opened.gl.drawElements(4, 6);
      id = opened.page.requestAnimationFrame(tick);
    };
    tick();
    opened.frame(STILL);
    opened.page.cancelAnimationFrame(id);
    expect(opened.timeouts.size).toBe(0);
    tick();
    opened.pass();
    opened.page.cancelAnimationFrame(id);
    expect(opened.frames.size).toBe(0);
  });

  it('that throws is asked for no frame, and the next one is compared from the start', () => {
    const opened = openPage();
    opened.page.requestAnimationFrame(() => {
      opened.gl.drawElements(4, 6);
      throw new Error('broken');
    });
    expect(() => opened.frame()).toThrow('broken');
    expect(opened.frames.size).toBe(0);
  });
});

it('does not slow a loop that draws nothing', () => {
  const opened = openPage();
  let count = 0;
  const tick = () => {
    count += 1;
    opened.gl.getError();
    opened.page.requestAnimationFrame(tick);
  };
  tick();
  opened.frame(STILL * 3);
  expect(count).toBe(STILL * 3 + 1);
});
