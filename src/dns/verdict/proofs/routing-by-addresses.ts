import { causeCode } from '../combine-views.ts';
import type { RoutingProof } from './routing-proof.ts';
import { addressesIn, isUnanswered, no, unknown, yes } from './routing-proof.ts';

/** Every address is the platform's. Null beside aliases and foreign addresses, which decide. */
export const routingByAddresses: RoutingProof = ({ ours }, view) => {
  const { A, AAAA } = view.outcomes;
  const addresses = addressesIn(view);
  if (A?.kind === 'alias' || AAAA?.kind === 'alias' || addresses.some((address) => !ours.has(address))) return null;
  if (isUnanswered(view)) return unknown(causeCode(view.outcomes));
  return addresses.length === 0 ? no('RecordMissing') : yes('addresses');
};
