import { causeCode } from '../combine-views.ts';
import type { RoutingProof } from './routing-proof.ts';
import { addressesIn, no, unknown, yes } from './routing-proof.ts';

/** Every address is the platform's. Null beside aliases and foreign addresses, which decide. */
export const routingByAddresses: RoutingProof = ({ ours }, view) => {
  const outcomes = [view.outcomes.A, view.outcomes.AAAA];
  const addresses = addressesIn(view);
  if (outcomes.some((outcome) => outcome?.kind === 'alias') || addresses.some((address) => !ours.has(address)))
    return null;
  if (outcomes.some((outcome) => outcome === undefined || outcome.kind === 'unknown'))
    return unknown(causeCode(view.outcomes));
  return addresses.length === 0 ? no('RecordMissing') : yes('addresses');
};
