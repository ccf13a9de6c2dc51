import { contextBridge, ipcRenderer } from 'electron';
import { CALL_CHANNEL, EVENT_CHANNEL, WIRE_GLOBAL, type Wire } from '../shared/wire.ts';
import { sendDroppedFolders } from './send-dropped-folders.ts';

// One listener of Electron's for all of the page's, of which there is one for each area.
const listeners = new Set<Parameters<Wire['on']>[0]>();
// The first argument would hand the page the sender; it stays here.
ipcRenderer.on(EVENT_CHANNEL, (_event: unknown, name: string, payload: unknown) => {
  for (const listener of listeners) listener(name, payload);
});

const wire: Wire = {
  call: (method, input) => ipcRenderer.invoke(CALL_CHANNEL, method, input),
  on(listener) {
    // A function of its own, so that a listener given twice is called twice.
    const own: typeof listener = (name, payload) => listener(name, payload);
    listeners.add(own);
    return () => {
      listeners.delete(own);
    };
  },
};

contextBridge.exposeInMainWorld(WIRE_GLOBAL, wire);
sendDroppedFolders();
