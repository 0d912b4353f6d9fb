import type { AllowedNamespaces, Gateway, NamespaceSelector } from '../../resources/gateway-types.ts';
import { accountLabel } from '../../resources/object-metadata.ts';
import type { Finding } from '../../rules/conditions.ts';
import { no, unknown, yes } from '../../rules/conditions.ts';
import type { GatewayReason } from '../../rules/reasons.ts';
import type { ListenerPlace } from './gateway-listeners.ts';
import { areInGateway } from './gateway-listeners.ts';
import type { GatewayReference } from './gateway-reference.ts';

/** The label that Kubernetes gives every namespace: its name. */
const nameLabel = 'kubernetes.io/metadata.name';

/** A Gateway, and where its hostnames' listeners are. */
export interface GuardedGateway extends GatewayReference {
  readonly listeners: ListenerPlace;
}

/**
 * Whether a Gateway lets in our routes and nobody else's: routes of account namespaces and of the operator's, and listeners of account
 * namespaces, where the admission policy keeps tenants from writing any, or of none. `gateway` is null when there is none. Pure.
 */
export function gatewayFinding(
  gateway: Gateway | null,
  { namespace, name, listeners: place }: GuardedGateway,
  systemNamespace: string,
): Finding<GatewayReason> {
  const which = `Gateway ${namespace}/${name}`;
  if (gateway === null) return unknown('GatewayNotFound', `there is no ${which}; create it, as docs/edges.md has it`);
  const { allowedListeners, listeners = [] } = gateway.spec ?? {};
  const wanted = wantedListeners(place, allowedListeners?.namespaces);
  if (wanted !== null)
    return no('GatewayOpen', `allowedListeners of ${which} must ${wanted}; no new hostname is served until it does`);
  const open = listeners.find(({ allowedRoutes }) => !isClosed(allowedRoutes?.namespaces, systemNamespace));
  if (open)
    return no(
      'GatewayOpen',
      `listener ${open.name} of ${which} takes routes of namespaces that tenants may write: allowedRoutes must select the label ${accountLabel}, or namespace ${systemNamespace}; no new hostname is served until it does`,
    );
  return yes('GatewayGuarded', `nobody but the operator attaches to ${which}`);
}

/** What allowedListeners would have to be; null where they are. */
function wantedListeners(place: ListenerPlace, allowed: AllowedNamespaces | undefined): string | null {
  if (!areInGateway(place))
    return isOfAccounts(allowed, 'exactly') ? null : `select exactly the namespaces with the label ${accountLabel}`;
  return (allowed?.from ?? 'None') === 'None' ? null : 'be None, as the operator writes its listeners';
}

/** Routes of its own namespace alone are the administrator's (the default); of no namespace, nobody's. */
function isClosed(allowed: AllowedNamespaces | undefined, systemNamespace: string): boolean {
  const { from = 'Same', selector } = allowed ?? {};
  if (from === 'Same' || from === 'None') return true;
  return (
    isOfAccounts(allowed, 'at most') || (from === 'Selector' && selector?.matchLabels?.[nameLabel] === systemNamespace)
  );
}

/** Further requirements only narrow a selection. */
function isOfAccounts(allowed: AllowedNamespaces | undefined, how: 'exactly' | 'at most'): boolean {
  if (allowed?.from !== 'Selector') return false;
  const { matchLabels = {}, matchExpressions = [] }: NamespaceSelector = allowed.selector ?? {};
  const isRequired =
    matchExpressions.some(
      ({ key, operator }) => key === accountLabel && (operator === 'Exists' || operator === 'In'),
    ) || Object.hasOwn(matchLabels, accountLabel);
  if (how === 'at most') return isRequired;
  const [only, ...others] = matchExpressions;
  const isAlone = others.length === 0 && Object.keys(matchLabels).length === 0;
  return isAlone && only?.key === accountLabel && only.operator === 'Exists';
}
