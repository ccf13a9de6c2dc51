import type { ManifestProvider } from '../../../../shared/model/capability/manifest.ts';
import type { ExternalProvider } from '../../ports/providers/provider.ts';
import { toPlainLine } from './plain-text.ts';

/** Returns the provider as manifests name it, with bounded texts. */
export function toManifestProvider({
  id,
  name,
  version,
}: Pick<ExternalProvider, 'id' | 'name' | 'version'>): ManifestProvider {
  const known = version === undefined ? '' : toPlainLine(version, 40);
  return { id, name: toPlainLine(name, 100) || id, ...(known !== '' && { version: known }) };
}
