import type { Authority } from '../../../dev/dns/authority.ts';
import { startAuthority } from '../../../dev/dns/authority.ts';
import type { ChallengeZonePlace, ServedChallengeZone } from '../../../dev/platform/platform.ts';

/** Where nothing listens: what the authority finds of a name behind a wall. */
export const nowhere = (ingressAddress: string): string => ingressAddress.replace(/\d+$/, '9');

export interface WalledResolver extends ServedChallengeZone {
  /** what the authority alone asks: its view of the world */
  readonly view: Authority;
}

/** A resolver that Pebble alone asks, so that it may see other addresses than our own looks do, as behind a wall by country. */
export async function startWalledResolver({ corner }: ChallengeZonePlace): Promise<WalledResolver> {
  const port = 5_300;
  const view = await startAuthority({ ...corner, port });
  return { view, settings: null, resolver: `${corner.address}:${port}`, stop: () => view.stop() };
}
