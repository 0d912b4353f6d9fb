import { beforeAll, describe, expect, it } from '@jest/globals';
import { findTools } from '../../../dev/platform/tools.ts';
import { render } from './rendering.ts';
import type { Values } from './values.ts';
import { base, merged } from './values.ts';

/** Who reaches whom, as the chart says it to Kubernetes. */

let helm = '';
beforeAll(async () => {
  ({ helm } = await findTools((line) => process.stderr.write(`${line}\n`)));
});

interface NetworkPolicySpec {
  readonly policyTypes: readonly string[];
  readonly ingress: readonly {
    readonly from?: readonly object[];
    readonly ports: readonly { readonly port: number }[];
  }[];
  readonly egress?: readonly object[];
}

describe('network policies', () => {
  const policiesOf = async (values: Values) =>
    Object.fromEntries(
      (await render(helm, merged(base, values)))
        .filter(({ kind }) => kind === 'NetworkPolicy')
        .map(({ metadata, spec }) => [metadata.name, spec as unknown as NetworkPolicySpec]),
    );
  const ranges = { apiServerRanges: ['203.0.113.7/32'], deniedRanges: ['10.0.0.0/8', 'fd00::/8'] };
  const apiServer = { to: [{ ipBlock: { cidr: '203.0.113.7/32' } }], ports: [{ port: 443 }, { port: 6443 }] };

  it('keep the redirector to two ports and Redis from everything, and leave the operator its way out, unless told more', async () => {
    const policies = await policiesOf({ redis: { url: '', included: true } });
    expect(policies['projectdomain-redirector']?.egress).toEqual([{ ports: [{ port: 443 }, { port: 6443 }] }]);
    expect(policies['projectdomain-redis']).toMatchObject({ policyTypes: ['Ingress', 'Egress'], egress: [] });
    expect(policies['projectdomain-operator']?.policyTypes).toEqual(['Ingress']);
  });

  it('let the redirector reach the API server of Kubernetes alone, where its addresses are given', async () => {
    const { 'projectdomain-redirector': redirector } = await policiesOf({ networkPolicy: ranges });
    expect(redirector?.egress).toEqual([apiServer]);
  });

  const toRedirector = expect.objectContaining({
    to: [
      {
        podSelector: {
          matchLabels: expect.objectContaining({ 'app.kubernetes.io/component': 'redirector' }) as unknown,
        },
      },
    ],
  }) as unknown;

  it.each<[string, string, readonly unknown[]]>([
    ["peers and, where it orders itself, the redirector's answers", 'AcmeIssuer', [toRedirector]],
    ['peers', 'ClusterIssuer', []],
  ])(
    'keep the operator from denied ranges of both families, but for the API server, DNS, %s',
    async (_, kind, more) => {
      const peer = { podSelector: { matchLabels: { app: 'redis' } } };
      const values = { issuer: { kind }, networkPolicy: { ...ranges, allowedPeers: [peer] } };
      const { 'projectdomain-operator': operator } = await policiesOf(values);
      expect(operator?.policyTypes).toEqual(['Ingress', 'Egress']);
      expect(operator?.egress).toEqual([
        {
          to: [
            { ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] } },
            { ipBlock: { cidr: '::/0', except: ['fd00::/8'] } },
          ],
        },
        apiServer,
        expect.objectContaining({ ports: [{ port: 53, protocol: 'UDP' }, { port: 53 }] }),
        { to: [peer] },
        ...more,
      ]);
    },
  );

  it('keep an API server of its own from the same: it queries name servers too', async () => {
    const standalone = { api: { standalone: true }, networkPolicy: ranges };
    const { 'projectdomain-api': api, 'projectdomain-operator': operator } = await policiesOf(standalone);
    expect(api?.policyTypes).toEqual(['Ingress', 'Egress']);
    expect(operator?.egress).toEqual(expect.arrayContaining([...(api?.egress ?? []), toRedirector]));
    expect(operator?.egress).toHaveLength((api?.egress ?? []).length + 1);
  });

  it('let nobody but the named, and helm test, read metrics; everybody reaches what serves', async () => {
    const reader = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } };
    const policies = await policiesOf({ networkPolicy: { metricsFrom: [reader] } });
    const open = Object.values(policies).flatMap(({ ingress }) => ingress.filter(({ from }) => from === undefined));
    expect(open.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual([8080, 8080]);
    const bounded = Object.values(policies).flatMap(({ ingress }) => ingress.filter(({ from }) => from !== undefined));
    expect(bounded.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual([9402, 9403, 9404]);
    for (const { from } of bounded)
      expect(from).toEqual([
        { podSelector: { matchLabels: expect.objectContaining({ 'app.kubernetes.io/component': 'test' }) as unknown } },
        reader,
      ]);
  });

  const edge = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'traefik' } } };
  const componentIs = (component: string) => ({
    podSelector: { matchLabels: expect.objectContaining({ 'app.kubernetes.io/component': component }) as unknown },
  });

  it.each([
    ['the API beside the operator', false],
    ['an API of its own', true],
  ])(
    'let nobody but the edges, helm test and who checks challenges reach what serves, where the edges are named: %s',
    async (_, standalone) => {
      const policies = await policiesOf({ api: { standalone }, networkPolicy: { servedFrom: [edge] } });
      const serving = Object.entries(policies).flatMap(([name, { ingress }]) =>
        ingress.filter(({ ports }) => ports[0]?.port === 8080).map(({ from }) => [name, from] as const),
      );
      expect(Object.fromEntries(serving)).toEqual({
        [standalone ? 'projectdomain-api' : 'projectdomain-operator']: [componentIs('test'), edge],
        'projectdomain-redirector': [componentIs('test'), edge, componentIs('operator')],
      });
    },
  );
});
