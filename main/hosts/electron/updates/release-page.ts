/** Where releases are published: the same as `publish` in electron-builder.yml. */
export const RELEASES = { owner: 'OpenWebGAL', repo: 'webgal-agent' } as const;

/** The page that people read. */
export const RELEASE_PAGE = `https://github.com/${RELEASES.owner}/${RELEASES.repo}/releases`;
