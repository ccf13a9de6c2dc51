import { join } from 'node:path';
import { startDesktop } from './start-desktop.ts';

// `out/`, seen from `out/main/`. Nothing here is awaited: Electron emits `ready` only after this module was evaluated.
startDesktop(join(import.meta.dirname, '..'));
