import { describe, expect, it } from '@jest/globals';
import { collectionPath, objectPath, query } from '../../../src/kubernetes/object-keys.ts';
import type { Kind } from '../../../src/kubernetes/kubernetes-port.ts';

const services: Kind = { apiVersion: 'v1', kind: 'Service', plural: 'services', namespaced: true };
const domains: Kind = {
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'ProjectDomain',
  plural: 'projectdomains',
  namespaced: true,
};
const claims: Kind = {
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'HostnameClaim',
  plural: 'hostnameclaims',
  namespaced: false,
};

describe('where a collection lives', () => {
  it.each<[string, Kind, string | undefined, string]>([
    ['the core group has no group in its path', services, 'acme', '/api/v1/namespaces/acme/services'],
    ['no namespace means all of them', services, undefined, '/api/v1/services'],
    ['the empty namespace means all of them', services, '', '/api/v1/services'],
    ['a group stands in the path', domains, 'acme', '/apis/projectdomain.io/v1alpha1/namespaces/acme/projectdomains'],
    ['a cluster-scoped kind ignores a namespace', claims, 'acme', '/apis/projectdomain.io/v1alpha1/hostnameclaims'],
    ['a namespace cannot climb out of its place', services, '../x', '/api/v1/namespaces/..%2Fx/services'],
  ])('%s', (_, kind, namespace, path) => {
    expect(collectionPath(kind, namespace)).toBe(path);
  });
});

describe('where an object lives', () => {
  it.each([
    ['in its namespace', services, { namespace: 'acme', name: 'web' }, '/api/v1/namespaces/acme/services/web'],
    [
      'beside no namespace when it is cluster-scoped',
      claims,
      { namespace: '', name: 'www.example.com' },
      '/apis/projectdomain.io/v1alpha1/hostnameclaims/www.example.com',
    ],
    [
      'under its own name, whatever characters that has',
      services,
      { namespace: 'acme', name: 'a/status?x' },
      '/api/v1/namespaces/acme/services/a%2Fstatus%3Fx',
    ],
  ])('%s', (_, kind, key, path) => {
    expect(objectPath(kind, key)).toBe(path);
  });

  it.each([
    ['a namespaced kind without a namespace', { namespace: '', name: 'web' }],
    ['an object without a name, whose path would be the collection', { namespace: 'acme', name: '' }],
  ])('refuses %s', (_, key) => {
    expect(() => objectPath(services, key)).toThrow(/Service/);
  });
});

describe('a query', () => {
  it.each([
    ['is empty when nothing is set', { limit: undefined }, ''],
    ['keeps false and zero, leaves out what is undefined', { a: false, b: 0, c: undefined }, '?a=false&b=0'],
    ['keeps the empty string: resourceVersion= says "the newest"', { resourceVersion: '' }, '?resourceVersion='],
    ['encodes selectors', { labelSelector: 'a=b,c in (d)' }, '?labelSelector=a%3Db%2Cc+in+%28d%29'],
  ])('%s', (_, values, text) => {
    expect(query(values)).toBe(text);
  });
});
