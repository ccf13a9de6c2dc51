import { join } from 'node:path';
import { type App, createApp, type Fault } from './core/app.ts';
import type { Host } from './core/ports.ts';
import { createSystemClock } from './node/system-clock.ts';
import { findUserPlaces } from './node/user-data.ts';
import { APP_VERSION } from './version.ts';
