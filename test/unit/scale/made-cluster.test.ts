import { describe, expect, it } from '@jest/globals';
import { readSigningRequest } from '../../../src/issuing/signing-request.ts';
import { requestsBetween, shown, writesIn } from '../../scale/kube-requests.ts';
import { accountOf, domainsOf, hostnameOf, kindOf, sizeOf, uuidOf } from '../../scale/made-names.ts';
import { requestFor } from '../../scale/made-objects.ts';
import { beyond } from '../../scale/request-bounds.ts';
import { ownedIntent } from '../../scale/owned-intent.ts';
import { textTemplate } from '../../scale/text-template.ts';

/** What made clusters and counts are built from. */

describe('the domains of made accounts', () => {
  it.each([10, 2_000, 10_000, 100_000])('are all of %i, each in one account', (domains) => {
    const size = sizeOf(domains);
    const all = Array.from({ length: size.accounts }, (_, account) => domainsOf(account, size)).flat();
    expect(all.toSorted((a, b) => a - b)).toEqual(Array.from({ length: domains }, (_, domain) => domain));
    expect(all.every((domain) => domainsOf(accountOf(domain, size), size).includes(domain))).toBe(true);
  });

  it('begin with a Live one, which redirects lead to', () => {
    const size = sizeOf(10_000);
    const kinds = Array.from({ length: size.accounts }, (_, account) => kindOf(domainsOf(account, size)[0] ?? 0, size));
    expect(new Set(kinds)).toEqual(new Set(['live']));
  });
});

it('a made uid is a UUID of its text alone', () => {
  expect(uuidOf('one')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(uuidOf('one')).toBe(uuidOf('one'));
  expect(uuidOf('one')).not.toBe(uuidOf('two'));
});

it.each([0, 7, 99_999, 109_999])(
  'the signing request of domain %i asks for its hostname with the right key',
  (domain) => {
    const asked = readSigningRequest(requestFor(hostnameOf(domain)));
    expect(asked).toMatchObject({
      names: [`dns:${hostnameOf(domain)}`],
      subject: expect.anything(),
      key: 'ec prime256v1',
    });
  },
);

describe('a text template', () => {
  it.each<[sentence: string, text: string, words: readonly string[], found: string]>([
    ['replaces every place', 'a x a', ['a'], '[a] x [a]'],
    ['prefers the longer of two words', 'www.a.example', ['a.example', 'www.a.example'], '[www.a.example]'],
    ['reads words as they are', 'a.c abc a+c', ['a.c', 'a+c'], '[a.c] abc [a+c]'],
    ['leaves a text without words', 'nothing', ['word'], 'nothing'],
  ])('%s', (_, text, words, found) => {
    expect(textTemplate(text, words).render((word) => `[${word}]`)).toBe(found);
  });
});

describe('what the operator owns of an object', () => {
  const ownerReferences = [
    { uid: 'u', name: 'web' },
    { uid: 'other', name: 'else' },
  ];
  const managed = (fieldsV1: object, manager = 'projectdomain-operator', subresource?: string) => ({
    manager,
    operation: 'Apply',
    fieldsV1: fieldsV1 as never,
    ...(subresource === undefined ? {} : { subresource }),
  });
  const object = (...managedFields: readonly ReturnType<typeof managed>[]) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'web',
      namespace: 'acme',
      uid: 'not ours',
      annotations: {
        'projectdomain.io/applied-hash': 'hash',
        'projectdomain.io/hostname': 'www.example.com',
        other: '1',
      },
      ownerReferences,
      managedFields,
    },
    spec: {
      clusterIP: '10.0.0.1',
      ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 1 }],
      hosts: ['a', 'b'],
    },
  });
  const identity = { name: 'web', namespace: 'acme' };

  it.each<[sentence: string, fields: object, metadata: object, spec: object | undefined]>([
    ['is a whole value where nothing below is named', { 'f:spec': { 'f:hosts': {} } }, {}, { hosts: ['a', 'b'] }],
    [
      'is the named fields of an item that is found by its keys',
      { 'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {}, 'f:protocol': {} } } } },
      {},
      { ports: [{ port: 80, protocol: 'TCP' }] },
    ],
    [
      'is one reference of several',
      { 'f:metadata': { 'f:ownerReferences': { 'k:{"uid":"u"}': {} } } },
      { ownerReferences: [ownerReferences[0]] },
      undefined,
    ],
    [
      'is not the hash of what was applied',
      {
        'f:metadata': { 'f:annotations': { 'f:projectdomain.io/applied-hash': {}, 'f:projectdomain.io/hostname': {} } },
      },
      { annotations: { 'projectdomain.io/hostname': 'www.example.com' } },
      undefined,
    ],
  ])('%s', (_, fields, metadata, spec) => {
    const intent = ownedIntent(
      object(managed({ 'f:spec': {} }, 'kubectl'), managed({}, undefined, 'status'), managed(fields)),
    );
    const said = { apiVersion: 'v1', kind: 'Service', metadata: { ...identity, ...metadata } };
    expect(intent).toEqual(spec === undefined ? said : { ...said, spec });
  });

  it('is asked of no object that the operator never applied', () => {
    expect(() => ownedIntent(object(managed({}, 'kubectl')))).toThrow('applied nothing of Service web');
  });
});

describe('requests', () => {
  const before = new Map([
    ['get accounts', 1],
    ['patch projects/status', 2],
  ]);
  const after = new Map([
    ['get accounts', 5],
    ['patch projects/status', 2],
    ['create events', 3],
    ['update leases', 9],
    ['create selfsubjectaccessreviews', 4],
    ['delete secrets', 1],
  ]);

  it('between two readings are those that came to the first', () => {
    expect(requestsBetween(before, after).get('get accounts')).toBe(4);
    expect(requestsBetween(before, after).has('patch projects/status')).toBe(false);
  });

  it('that write an object are neither reads, nor reviews, events and the lease', () => {
    expect(shown(writesIn(after))).toBe('patch projects/status 2, delete secrets 1');
  });

  it.each<[sentence: string, most: number, found: readonly string[]]>([
    ['at their bound are within it', 4, []],
    ['beyond it are named', 3, ['get accounts: 4 instead of 3 at most (one each)']],
  ])('%s', (_, most, found) => {
    expect(beyond(new Map([['get accounts', 4]]), { 'get accounts': [most, 'one each'] })).toEqual(found);
  });

  it('that no table names are beyond it', () => {
    expect(beyond(new Map([['delete secrets', 1]]), {})).toEqual([
      'delete secrets: 1 instead of 0 at most (not expected at all)',
    ]);
  });
});
