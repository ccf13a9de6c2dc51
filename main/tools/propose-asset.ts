import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { AssetId, toAssetText } from '../../shared/model/asset/asset.ts';
import { ProjectPath } from '../../shared/paths/project-path.ts';
import { toQuoted } from '../../shared/text/shown-text.ts';
import { toAssetFacts } from '../core/assets/asset-service.ts';
import { requireAssetPlace } from '../core/assets/require-asset-place.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { DRAFT_NOTE, readForChange } from '../core/proposal/text-change.ts';
import { editTool } from './support/tool-presets.ts';

export const proposeAsset = defineTool({
  ...editTool('propose_asset', { reason: 'addsAsset' }),
  capability: 'project.asset.propose',
  version: '1.0.0',
  audience: 'model',
  description:
    'Drafts a picture or a sound that a connected service returned into the proposal, at a place in game/figure, ' +
    'game/background, game/vocal or game/bgm. The user sees it before it is accepted; a file that is already there is shown ' +
    'beside it. The name must end in what the bytes are: .png for image/png, .mp3 for audio/mpeg.',
  input: z.strictObject({
    asset: AssetId.describe('The id from the files of the answer'),
    path: ProjectPath.describe('Where to put it, such as game/figure/aki.png'),
  }),
  output: z.object({
    path: z.string(),
    drafted: z.boolean(),
    asset: z.string(),
    replaces: z.boolean().describe('True if a file is there now; the user sees both'),
    note: z.string(),
  }),
  examples: [{ asset: '0'.repeat(64), path: 'game/figure/aki.png' }],
  needs: ['reader', 'writer', 'assets'],
  summarize: ({ path }) => toolText('propose_asset.summary', { path: toQuoted(path) }),
  paths: ({ path }) => [path],
  async handler({ asset: id, path }, { reader, writer, assets }, { seen }) {
    const { asset } = await assets.read(id);
    requireAssetPlace(path, asset.type);
    const there = await readForChange(reader, path);
    await writer.write({ path, text: toAssetText(asset), base: there?.version ?? null });
    seen.set(path, asset.id);
    return { path, drafted: true, asset: toAssetFacts(asset), replaces: there !== null, note: DRAFT_NOTE };
  },
});
