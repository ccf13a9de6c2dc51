import { join } from 'node:path';
import { startDesktop } from './start-desktop.ts';

// `out/`, seen from `out/main/`.
await startDesktop(join(import.meta.dirname, '..'));
