import { describe, expect, it } from '@jest/globals';
import { gatewayFinding } from '../../../src/routing/gateway/gateway-acceptance.ts';
import { listenerOf } from '../../../src/routing/gateway/gateway-listeners.ts';
import type { AllowedNamespaces, Gateway } from '../../../src/resources/gateway-types.ts';

/** Whoever can attach a listener or a route to the Gateway takes hostnames without proof: fails where one of these is let in. */

const reference = { namespace: 'edge', name: 'customers' };
const accounts: AllowedNamespaces = {
  from: 'Selector',
  selector: { matchExpressions: [{ key: 'projectdomain.io/account', operator: 'Exists' }] },
};
const named = (name: string): AllowedNamespaces => ({
  from: 'Selector',
  selector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
});
const everyone: AllowedNamespaces = { from: 'All' };

function gateway(listeners: AllowedNamespaces | undefined, ...routes: readonly (AllowedNamespaces | undefined)[]) {
  const allowed = (namespaces: AllowedNamespaces | undefined) => (namespaces ? { namespaces } : {});
  const spec = {
    allowedListeners: allowed(listeners),
    listeners: routes.map((of, index) => ({ name: `listener-${index}`, allowedRoutes: allowed(of) })),
  };
  return { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'Gateway', metadata: reference, spec } as Gateway;
}

describe('a Gateway', () => {
  it.each<[string, Gateway | null, string, RegExp]>([
    [
      'that lets in accounts, and the operator at its own listener, is guarded',
      gateway(accounts, named('system')),
      'GatewayGuarded',
      /edge\/customers/,
    ],
    ['whose listener takes routes of accounts is guarded', gateway(accounts, accounts), 'GatewayGuarded', /nobody but/],
    [
      'whose listener takes what is in its own namespace, or nothing, is guarded',
      gateway(accounts, undefined, { from: 'Same' }, { from: 'None' }),
      'GatewayGuarded',
      /nobody but/,
    ],
    [
      'whose listener takes routes of some accounts is guarded',
      gateway(accounts, { from: 'Selector', selector: { ...accounts.selector, matchLabels: { tier: 'a' } } }),
      'GatewayGuarded',
      /nobody but/,
    ],
    ['that is not there is said to be missing', null, 'GatewayNotFound', /docs\/edges\.md/],
    ['without allowedListeners takes no hostname of ours', gateway(undefined), 'GatewayOpen', /allowedListeners/],
    ['that takes everybody’s listeners is open', gateway(everyone), 'GatewayOpen', /allowedListeners/],
    [
      'that takes listeners of its own namespace takes none of ours',
      gateway({ from: 'Same' }),
      'GatewayOpen',
      /allowedListeners/,
    ],
    [
      'that takes listeners of another label is open',
      gateway({ from: 'Selector', selector: { matchLabels: { team: 'a' } } }),
      'GatewayOpen',
      /allowedListeners/,
    ],
    [
      'whose selector is empty takes everybody’s',
      gateway({ from: 'Selector', selector: {} }),
      'GatewayOpen',
      /allowedListeners/,
    ],
    [
      'that takes listeners of all but accounts is open',
      gateway({
        from: 'Selector',
        selector: { matchExpressions: [{ key: 'projectdomain.io/account', operator: 'DoesNotExist' }] },
      }),
      'GatewayOpen',
      /allowedListeners/,
    ],
    [
      'that takes listeners of some accounts alone leaves the others out',
      gateway({ from: 'Selector', selector: { ...accounts.selector, matchLabels: { tier: 'a' } } }),
      'GatewayOpen',
      /exactly/,
    ],
    [
      'with one listener for everybody’s routes is open, and it is named',
      gateway(accounts, accounts, everyone),
      'GatewayOpen',
      /listener-1/,
    ],
    [
      'whose listener takes routes of a namespace of tenants is open',
      gateway(accounts, named('tenants')),
      'GatewayOpen',
      /listener-0.*namespace system/,
    ],
  ])('%s', (_, found, reason, message) => {
    const finding = gatewayFinding(found, { ...reference, listeners: 'ListenerSet' }, 'system');
    expect(finding.reason).toBe(reason);
    expect(finding.message).toMatch(message);
  });
});

describe('a Gateway onto which the operator writes the listeners', () => {
  const { name, allowedRoutes } = listenerOf({
    hostname: 'www.example.com',
    namespace: 'acme',
    secretName: 'pd-own-1',
  });

  it.each<[string, Gateway, string, RegExp]>([
    ['that lets in nobody’s listeners is guarded', gateway(undefined, accounts), 'GatewayGuarded', /nobody but/],
    ['that says so is guarded', gateway({ from: 'None' }, accounts), 'GatewayGuarded', /nobody but/],
    [
      'with the listener of a hostname is guarded',
      { ...gateway(undefined), spec: { listeners: [{ name, allowedRoutes }] } },
      'GatewayGuarded',
      /nobody but/,
    ],
    ['that lets in listeners of accounts is open', gateway(accounts, accounts), 'GatewayOpen', /must be None/],
    ['that lets in listeners of its own namespace is open', gateway({ from: 'Same' }), 'GatewayOpen', /must be None/],
    [
      'with one listener for everybody’s routes is open, and it is named',
      gateway(undefined, accounts, everyone),
      'GatewayOpen',
      /listener-1/,
    ],
  ])('%s', (_, found, reason, message) => {
    const finding = gatewayFinding(found, { ...reference, listeners: 'Gateway' }, 'system');
    expect(finding.reason).toBe(reason);
    expect(finding.message).toMatch(message);
  });
});
