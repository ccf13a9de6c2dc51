#!/usr/bin/env node
import { readSystemLocale } from '../shared/model/local-text.ts';
import { createCommandLineText } from './cli/command-line-text.ts';
import { readCommand } from './cli/read-command.ts';
import { keepCompiledCode } from './node/app-data/keep-compiled-code.ts';

/** Exit codes; 0 is success. */
const FAILED = 1;
const MISUSED = 2;

// Each command imports only its own modules, for a fast start.
const command = readCommand(process.argv.slice(2));
const asked = command.kind === 'check' || command.kind === 'test' ? command.locale : null;
const text = createCommandLineText(asked ?? readSystemLocale());

switch (command.kind) {
  case 'help':
    process.stdout.write(text.help);
    break;
  case 'version':
    process.stdout.write(`${command.version}\n`);
    break;
  case 'misused':
    process.stderr.write(`${command.message}\n${text.seeHelp}\n`);
    process.exitCode = MISUSED;
    break;
  case 'mcp': {
    keepCompiledCode(process.env);
    const { runMcp } = await import('./cli/run-mcp.ts');
    // Exit explicitly: open handles of libraries must not keep the process alive after the client disconnected.
    process.exit((await runMcp(command, text)) ? 0 : FAILED);
    break;
  }
  case 'check': {
    keepCompiledCode(process.env);
    const { runCheck } = await import('./cli/run-check.ts');
    const { output, problem, exitCode } = await runCheck(command, text);
    process.stdout.write(output);
    process.stderr.write(problem);
    process.exitCode = exitCode;
    break;
  }
  case 'test': {
    keepCompiledCode(process.env);
    const { runTest } = await import('./cli/run-test.ts');
    const { output, problem, exitCode } = await runTest(command, text);
    process.stdout.write(output);
    process.stderr.write(problem);
    process.exitCode = exitCode;
    break;
  }
  case 'replay': {
    keepCompiledCode(process.env);
    const { runReplay } = await import('./cli/run-replay.ts');
    const { output, problem, exitCode } = await runReplay(command, text);
    process.stdout.write(output);
    process.stderr.write(problem);
    process.exitCode = exitCode;
    break;
  }
  case 'capabilities': {
    keepCompiledCode(process.env);
    const { runCapabilities } = await import('./cli/run-capabilities.ts');
    const { output, problem, exitCode } = await runCapabilities(command, text);
    process.stdout.write(output);
    process.stderr.write(problem);
    process.exitCode = exitCode;
    break;
  }
  case 'capability-check': {
    const { runCapabilityCheck } = await import('./cli/run-capability-check.ts');
    const { output, problem, exitCode } = await runCapabilityCheck(command);
    process.stdout.write(output);
    process.stderr.write(problem);
    process.exitCode = exitCode;
    break;
  }
  case 'serve': {
    keepCompiledCode(process.env);
    const { runServe } = await import('./cli/run-serve.ts');
    if (!(await runServe(command, text))) process.exitCode = FAILED;
    break;
  }
}
