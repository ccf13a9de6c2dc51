// Replaces Electron's default_app, which packaged runtimes do not contain: runs the script named on the command line with that
// script's package.json as the app's identity.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

const index = process.argv.findIndex((argument, at) => at > 0 && !argument.startsWith('-'));
if (index === -1) {
  process.stderr.write('No script was named.\n');
  process.exit(2);
}
const script = resolve(process.argv[index]);
process.argv.splice(1, index, script);
process.defaultApp = true;

let folder = dirname(script);
while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
app.setName(manifest.productName ?? manifest.name);
app.setVersion(manifest.version);
app.setAppPath(folder);

await import(pathToFileURL(script).href);
