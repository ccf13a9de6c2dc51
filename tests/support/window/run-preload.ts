import vm from 'node:vm';
import { build, type Rolldown } from 'vite';
import { toPreloadConfig } from '../../../scripts/build.ts';
import type { Wire } from '../../../shared/wire.ts';

/** Electron's renderer modules, as the preload requires them. */
export interface RendererSide {
  invoke(channel: string, ...args: unknown[]): Promise<unknown>;
  on(channel: string, listener: (...args: unknown[]) => void): void;
  off(channel: string, listener: (...args: unknown[]) => void): void;
  send(channel: string, ...args: unknown[]): void;
}

/** A drag event of the page's window. */
export type Drag = Record<string, unknown> & { type: string };

/** Builds the preload like the app's build. */
export async function buildPreloadCode(): Promise<string> {
  const config = toPreloadConfig('out/preload');
  const built = (await build({ ...config, build: { ...config.build, write: false } })) as Rolldown.RolldownOutput;
  const chunk = built.output.find((part) => part.type === 'chunk');
  if (!chunk) throw new Error('The preload was not built.');
  return chunk.code;
}

/**
 * Runs the preload like a sandboxed renderer: a CommonJS script without Node, whose `require` resolves only `electron`. Returns
 * the API that it exposed to the page and the modules that it required.
 */
export function runPreload(
  code: string,
  ipcRenderer: RendererSide,
): { exposed: Record<string, Wire>; required: string[]; drag: (event: Drag) => void; isDropping: () => boolean } {
  const exposed: Record<string, Wire> = {};
  const required: string[] = [];
  const contextBridge = {
    exposeInMainWorld(name: string, value: Wire) {
      if (name in exposed) throw new Error(`Cannot bind an API on top of an existing property: ${name}`);
      exposed[name] = value;
    },
  };
  const require = (name: string): unknown => {
    required.push(name);
    if (name !== 'electron') throw new Error(`module not found: ${name}`);
    return { contextBridge, ipcRenderer, webUtils: { getPathForFile: (file: { path: string }) => file.path } };
  };
  const module = { exports: {} };
  const listeners = new Map<string, (event: Drag) => void>();
  const attributes = new Set<string>();
  const toggleAttribute = (name: string, isSet: boolean) => (isSet ? attributes.add(name) : attributes.delete(name));
  vm.runInNewContext(code, {
    ...{ require, module, exports: module.exports },
    addEventListener: (type: string, listener: (event: Drag) => void) => void listeners.set(type, listener),
    document: { documentElement: { toggleAttribute } },
  });
  return {
    ...{ exposed, required },
    drag: (event) => listeners.get(event.type)?.(event),
    isDropping: () => attributes.has('data-dropping'),
  };
}
