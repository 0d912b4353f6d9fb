import type { AcmeClient, AcmeClientOptions } from './acme-client.ts';

/** Where an authority is, and how it is known. */
export type Authority = Omit<AcmeClientOptions, 'now'>;

/** One client for each authority: its accounts share its directory, its connections and its turn. */
export interface AcmeClients {
  /** What it is made of is loaded for the first one: where there is none, it takes no memory. */
  of(authority: Authority): Promise<AcmeClient>;
  /** Ends the clients of all other authorities, once what they do is done. */
  keepOnly(authorities: readonly Authority[]): void;
}

/** `now` in milliseconds since the Unix epoch. */
export function createAcmeClients(now: () => number): AcmeClients {
  const clients = new Map<string, Promise<AcmeClient>>();
  const keyOf = ({ server, ca }: Authority): string => JSON.stringify([server, ca]);
  const create = async (authority: Authority): Promise<AcmeClient> => {
    const { createAcmeClient } = await import('./acme-client.ts');
    return createAcmeClient({ ...authority, now });
  };
  return {
    of(authority) {
      const key = keyOf(authority);
      const client = clients.get(key) ?? create(authority);
      clients.set(key, client);
      return client;
    },
    keepOnly(authorities) {
      const kept = new Set(authorities.map(keyOf));
      for (const [key, client] of clients) {
        if (kept.has(key)) continue;
        clients.delete(key);
        client.then((ended) => ended.close()).catch(() => undefined);
      }
    },
  };
}
