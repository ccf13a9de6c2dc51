import { describe, expect, it } from 'vitest';
import { type Lockfile, toBillOfMaterials } from './bill-of-materials.ts';

const lockfile: Lockfile = {
  packages: {
    'node_modules/zod': { version: '4.0.0', license: 'MIT', integrity: 'sha512-AQID' },
    'node_modules/@a/b': { version: '1.0.0', license: 'SEE LICENSE IN LICENSE.txt' },
    'node_modules/@a/b/node_modules/zod': { version: '3.0.0', license: '(MIT OR Apache-2.0)' },
    'node_modules/c/node_modules/zod': { version: '4.0.0', license: 'MIT', integrity: 'sha512-AQID' },
  },
};
const app = { name: 'webgal-agent', version: '1.2.3', license: 'MPL-2.0' };

interface Bill {
  components: Record<string, unknown>[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

function toBill(keys: string[]): Bill {
  return toBillOfMaterials({ app, electronVersion: '45.0.0', keys, lockfile }) as Bill;
}

describe('the bill of materials', () => {
  it('describes a scoped package, a nested one and one in two folders', () => {
    const { components } = toBill(Object.keys(lockfile.packages));
    expect(components.map((component) => component['bom-ref'])).toEqual([
      'electron@45.0.0',
      '@a/b@1.0.0',
      'zod@3.0.0',
      'zod@4.0.0',
    ]);
    expect(components[1]).toMatchObject({
      group: '@a',
      name: 'b',
      purl: 'pkg:npm/%40a/b@1.0.0',
      licenses: [{ license: { name: 'SEE LICENSE IN LICENSE.txt' } }],
    });
    expect(components[2]).toMatchObject({ licenses: [{ expression: '(MIT OR Apache-2.0)' }] });
    expect(components[3]).toMatchObject({ hashes: [{ alg: 'SHA-512', content: '010203' }] });
  });

  it('makes the app depend on every component', () => {
    const { dependencies } = toBill(['node_modules/zod']);
    expect(dependencies).toEqual([{ ref: 'webgal-agent@1.2.3', dependsOn: ['electron@45.0.0', 'zod@4.0.0'] }]);
  });

  it('rejects a package that is not in the lockfile', () => {
    expect(() => toBill(['node_modules/unknown'])).toThrow('package-lock.json does not have node_modules/unknown');
  });
});
