/**
 * Returns the page's content security policy: its own bundle, its own app, and the stages of this run in a frame. `stageSource`
 * is a source expression that matches the stages and no other program on this machine. Inline styles are allowed, because the
 * component library and the editor insert style elements; inline scripts are not.
 */
export function toContentSecurityPolicy(stageSource: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "worker-src 'self' blob:",
    "font-src 'self' data:",
    `frame-src ${stageSource}`,
    `img-src 'self' data: blob: ${stageSource}`,
    `media-src 'self' data: blob: ${stageSource}`,
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Returns the headers of all responses of a host. */
export function toPageHeaders(stageSource: string): Readonly<Record<string, string>> {
  return {
    'content-security-policy': toContentSecurityPolicy(stageSource),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), payment=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}
