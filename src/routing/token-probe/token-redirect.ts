/** What is asked for next, always of the same hostname at the same address. */
export interface Place {
  readonly scheme: 'http' | 'https';
  /** path and query */
  readonly path: string;
}

const pathAtMost = 512;

/**
 * Where a Location leads; null unless it is the same hostname on the scheme's own port, without credentials. A relative one
 * is read as the place's own (RFC 9110 section 10.2.2).
 */
export function redirectTo(location: string, from: Place, hostname: string): Place | null {
  const url = URL.parse(location, `${from.scheme}://${hostname}${from.path}`);
  if (url === null || url.hostname !== hostname || url.port !== '' || url.username !== '' || url.password !== '')
    return null;
  const path = `${url.pathname}${url.search}`;
  if (path.length > pathAtMost) return null;
  if (url.protocol === 'http:') return { scheme: 'http', path };
  return url.protocol === 'https:' ? { scheme: 'https', path } : null;
}
