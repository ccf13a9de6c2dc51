/** The stage is served from a port of its own, chosen when it starts. */
const STAGE_ORIGINS = 'http://127.0.0.1:*';

/**
 * What the page may load and talk to: its own bundle, its own app, and the stage in a frame. Styles may be inline, for
 * the component library and the editor write theirs into the page; scripts may not.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "worker-src 'self' blob:",
  "font-src 'self' data:",
  `frame-src ${STAGE_ORIGINS}`,
  `img-src 'self' data: blob: ${STAGE_ORIGINS}`,
  `media-src 'self' data: blob: ${STAGE_ORIGINS}`,
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of everything a host hands out. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
