import { randomUUID } from 'node:crypto';

/** The used part of `package-lock.json`. */
export interface Lockfile {
  packages: Record<string, { version?: string; license?: string; integrity?: string }>;
}

export interface BillInput {
  app: { name: string; version: string; license: string };
  electronVersion: string;
  /** Keys of `packages` in the lockfile for everything in the package that is from the registry. */
  keys: Iterable<string>;
  lockfile: Lockfile;
}

/** Licences of packages without one in their manifest; `assets/licences` has the texts. */
const UNNAMED_LICENCES: Record<string, string> = { 'webgal-engine': 'MPL-2.0' };

interface Component {
  type: 'application' | 'framework' | 'library';
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  group?: string;
  licenses?: ({ expression: string } | { license: { name: string } })[];
  hashes?: { alg: 'SHA-512'; content: string }[];
}

/**
 * Returns a CycloneDX 1.6 document of a package's content. Own code because `npm sbom` rejects a tree with an unmet peer (the
 * engine has one) and lists installed instead of bundled packages. Hashes are of the registry's archives. Throws for a key that
 * is not in the lockfile.
 */
export function toBillOfMaterials({ app, electronVersion, keys, lockfile }: BillInput): object {
  const root: Component = {
    type: 'application',
    'bom-ref': `${app.name}@${app.version}`,
    name: app.name,
    version: app.version,
    purl: toPurl(app.name, app.version),
    licenses: toLicences(app.license),
  };
  const electron: Component = {
    type: 'framework',
    'bom-ref': `electron@${electronVersion}`,
    name: 'electron',
    version: electronVersion,
    purl: `pkg:github/electron/electron@v${electronVersion}`,
    licenses: toLicences('MIT'),
  };
  const libraries = new Map<string, Component>();
  for (const key of keys) {
    const library = toLibrary(key, lockfile);
    // One version may be in several folders.
    libraries.set(library['bom-ref'], library);
  }
  const components = [...libraries.values()].sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1));
  components.unshift(electron);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: { timestamp: new Date().toISOString(), component: root },
    components,
    dependencies: [{ ref: root['bom-ref'], dependsOn: components.map((component) => component['bom-ref']) }],
  };
}

function toLibrary(key: string, { packages }: Lockfile): Component {
  const entry = packages[key];
  if (!entry?.version) throw new Error(`package-lock.json does not have ${key}. Run npm ci and build again.`);
  const fullName = key.slice(key.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const [name = '', group] = fullName.split('/').reverse();
  const license = entry.license ?? UNNAMED_LICENCES[fullName];
  return {
    type: 'library',
    'bom-ref': `${fullName}@${entry.version}`,
    ...(group && { group }),
    name,
    version: entry.version,
    purl: toPurl(fullName, entry.version),
    ...(license && { licenses: toLicences(license) }),
    ...(entry.integrity?.startsWith('sha512-') && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(entry.integrity.slice(7), 'base64').toString('hex') }],
    }),
  };
}

function toPurl(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** `SEE LICENSE IN …` is no SPDX expression. */
function toLicences(license: string): NonNullable<Component['licenses']> {
  return /^SEE /i.test(license) ? [{ license: { name: license } }] : [{ expression: license }];
}
