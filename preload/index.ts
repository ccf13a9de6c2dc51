import { contextBridge, ipcRenderer } from 'electron';
import { CALL_CHANNEL, EVENT_CHANNEL, WIRE_GLOBAL, type Wire } from '../shared/wire.ts';
import { sendDroppedFolders } from './send-dropped-folders.ts';

const wire: Wire = {
  call: (method, input) => ipcRenderer.invoke(CALL_CHANNEL, method, input),
  on(listener) {
    // The first argument would hand the page the sender; it stays here.
    const hear = (_event: unknown, name: string, payload: unknown) => listener(name, payload);
    ipcRenderer.on(EVENT_CHANNEL, hear);
    return () => {
      ipcRenderer.off(EVENT_CHANNEL, hear);
    };
  },
};

contextBridge.exposeInMainWorld(WIRE_GLOBAL, wire);
sendDroppedFolders();
