import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * A hostname as people write it, such as `münchen.example.com` of `xn--mnchen-3ya.example.com` (RFC 5890 section 2.3.2.1). Null without an A-label,
 * and where the text would not lead back to the same name. It is only ever shown beside the A-labels: letters of different scripts look alike.
 */
export function unicodeOf(hostname: string): string | null {
  if (!hostname.includes('xn--')) return null;
  const written = domainToUnicode(hostname);
  return written === '' || written === hostname || domainToASCII(written) !== hostname ? null : written;
}

/** For a window's title and for text alone: both forms of a hostname that has two, `münchen.example.com (xn--mnchen-3ya.example.com)`. */
export function bothForms(hostname: string): string {
  const written = unicodeOf(hostname);
  return written === null ? hostname : `${written} (${hostname})`;
}
