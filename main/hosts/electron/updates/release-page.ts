/** The repository of the releases; must equal `publish` in electron-builder.yml. */
export const RELEASES = { owner: 'OpenWebGAL', repo: 'webgal-agent' } as const;

/** The releases page for users. */
export const RELEASE_PAGE = `https://github.com/${RELEASES.owner}/${RELEASES.repo}/releases`;
