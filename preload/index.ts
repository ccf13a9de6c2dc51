import { contextBridge, ipcRenderer } from 'electron';
import { CALL_CHANNEL, EVENT_CHANNEL, WIRE_GLOBAL, type Wire } from '../shared/wire.ts';
import { sendDroppedFolders } from './send-dropped-folders.ts';

// One Electron listener serves all listeners of the page, which has one per area.
const listeners = new Set<Parameters<Wire['on']>[0]>();
// The first argument contains the sender, which the page must not receive.
ipcRenderer.on(EVENT_CHANNEL, (_event: unknown, name: string, payload: unknown) => {
  for (const listener of listeners) listener(name, payload);
});

const wire: Wire = {
  call: (method, input) => ipcRenderer.invoke(CALL_CHANNEL, method, input),
  on(listener) {
    // A new function, so that a listener added twice is called twice.
    const own: typeof listener = (name, payload) => listener(name, payload);
    listeners.add(own);
    return () => {
      listeners.delete(own);
    };
  },
};

contextBridge.exposeInMainWorld(WIRE_GLOBAL, wire);
sendDroppedFolders();
