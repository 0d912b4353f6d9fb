import { describe, expect, it } from '@jest/globals';
import type { Ingress } from '../../../src/resources/kubernetes-types.ts';
import { competingIngresses, hostsOf, keptOfOtherIngress } from '../../../src/routing/ingress/other-ingresses.ts';

/** What is known of Ingresses of others: their hostnames, so that a second one for a hostname of ours is told. */

type Rules = NonNullable<NonNullable<Ingress['spec']>['rules']>;

const paths = (...named: readonly string[]) => ({
  paths: named.map((path) => ({ path, backend: { service: { name: 'old' } } })),
});
const ingress = (
  rules: Rules,
  more: { readonly class?: string; readonly annotation?: string; readonly name?: string } = {},
) => ({
  ...{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' },
  metadata: {
    ...{ name: more.name ?? 'old', namespace: 'legacy', uid: 'u', resourceVersion: '1', labels: { big: 'label' } },
    annotations: more.annotation === undefined ? {} : { 'kubernetes.io/ingress.class': more.annotation },
  },
  spec: { ...(more.class === undefined ? {} : { ingressClassName: more.class }), rules },
});
const www = { host: 'www.example.com', http: paths('/') };
const solver = { host: 'www.example.com', http: paths('/.well-known/acme-challenge/token') };

describe('of an Ingress that is not ours', () => {
  it.each<[string, Rules, readonly string[]]>([
    [
      'each hostname is kept once',
      [www, www, { host: 'b.example.com', http: paths('/shop') }],
      ['www.example.com', 'b.example.com'],
    ],
    ['nothing is kept without hostnames', [{ http: paths('/') }], []],
    ['nothing is kept where it only answers challenges', [solver], []],
    [
      'what it answers besides challenges is kept',
      [{ host: 'www.example.com', http: paths('/', '/.well-known/acme-challenge/t') }],
      ['www.example.com'],
    ],
    ['a rule without paths is kept', [{ host: 'www.example.com' }], ['www.example.com']],
    [
      '64 hostnames are kept at most',
      Array.from({ length: 500 }, (_, index) => ({ host: `h${index}.example.com` })),
      Array.from({ length: 64 }, (_, index) => `h${index}.example.com`),
    ],
  ])('%s', (_, rules, hosts) => {
    const kept = keptOfOtherIngress(ingress(rules));
    expect(kept ? hostsOf(kept) : []).toEqual(hosts);
    expect(JSON.stringify(kept ?? {})).not.toMatch(/label|service|path/);
  });
});

describe('it competes with ours', () => {
  const own = [ingress([www], { class: 'traefik' })];
  it.each<[string, ReturnType<typeof ingress>, boolean]>([
    ['in the same class', ingress([www], { class: 'traefik' }), true],
    ['in the same class, as older ones name it', ingress([www], { annotation: 'traefik' }), true],
    ['in no class, as it may be the default one', ingress([www]), true],
    ['in another class not, as another edge reads that', ingress([www], { class: 'internal' }), false],
    ['in another class, as older ones name it, not', ingress([www], { annotation: 'internal' }), false],
  ])('%s', (_, other, competes) => {
    expect(competingIngresses(own, [keptOfOtherIngress(other) ?? other])).toEqual(competes ? ['legacy/old'] : []);
  });

  it('with four of however many, in order', () => {
    const many = Array.from({ length: 900 }, (_, index) =>
      ingress([www], { name: `i${String(index).padStart(3, '0')}` }),
    );
    expect(competingIngresses(own, many.toReversed())).toEqual(
      ['i000', 'i001', 'i002', 'i003'].map((name) => `legacy/${name}`),
    );
  });
});
