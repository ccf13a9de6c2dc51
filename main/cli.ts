#!/usr/bin/env node
import { keepCompiledCode } from './node/keep-compiled-code.ts';

keepCompiledCode(process.env);
// Only now, so that what is loaded is taken from the kept code.
await import('./cli/run-command.ts');
