/** Where a server listens, as net.Server.listen() takes it. Without a host: every address of both families. */
export interface ListenAddress {
  readonly host?: string;
  readonly port: number;
}

/** What a listen address looks like, for people. */
export const listenAddressForm = 'ADDR:PORT, [ADDR6]:PORT, or :PORT for every address of both families';

const form = /^(?:\[(?<v6>[0-9a-f:.]+(?:%\w+)?)\]|(?<host>[^\s:[\]]*)):(?<port>\d{1,5})$/i;

/** Reads `ADDR:PORT`, `[ADDR6]:PORT` (RFC 3986 section 3.2.2) or `:PORT`; null for anything else. */
export function parseListenAddress(text: string): ListenAddress | null {
  const found = form.exec(text)?.groups;
  if (!found) return null;
  const port = Number(found.port);
  const host = found.v6 ?? found.host;
  if (port > 65_535) return null;
  return host ? { host, port } : { port };
}
