import { join } from 'node:path';
import { startDesktop } from './start-desktop.ts';

// `out/`, relative to `out/main/`. Nothing is awaited here: Electron emits `ready` only after this module was evaluated.
startDesktop(join(import.meta.dirname, '..'));
