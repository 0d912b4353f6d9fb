import { describe, expect, it } from '@jest/globals';
import { pickDomain } from '../../../src/cli/find-domain.ts';
import { pickKey } from '../../../src/cli/keys/keys-command.ts';
import { closestWord } from '../../../src/cli/usage-errors.ts';
import type { ApiKey } from '../../../src/generated/api-key.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';

const apiVersion = 'projectdomain.io/v1alpha1';

const domain = (name: string, hostname: string, state?: 'Pending' | 'Live'): ProjectDomain => ({
  apiVersion,
  kind: 'ProjectDomain',
  metadata: { name, namespace: 'acme' },
  spec: { project: 'shop', hostname },
  ...(state ? { status: { state } } : {}),
});

const domains = [
  domain('www', 'www.example.com', 'Live'),
  domain('again', 'www.example.com', 'Pending'),
  domain('buecher', 'xn--bcher-kva.example'),
  domain('one', 'both.example.com', 'Live'),
  domain('two', 'both.example.com', 'Live'),
  domain('shop.example.com', 'other.example.com'),
  domain('other', 'shop.example.com'),
];

describe('a domain is meant', () => {
  it.each([
    ["by its object's name", 'again', 'again'],
    ['by a hostname that is not there: by none', 'shop.example.org', null],
    ['by its hostname, the accepted one of two', 'www.example.com', 'www'],
    ['by its hostname as people write it', 'Bücher.Example.', 'buecher'],
    ['by a name that is a hostname of another: names go first', 'shop.example.com', 'shop.example.com'],
  ])('%s', (_, meant, name) => {
    const pick = () => pickDomain(domains, meant, 'acme').metadata.name;
    if (name === null) expect(pick).toThrow('no domain shop.example.org in namespace acme');
    else expect(pick()).toBe(name);
  });

  it.each([
    ['a typo gives the nearest names', domains, 'wwww.example.com', 'Did you mean www.example.com'],
    ['nothing near gives the command that shows all', domains, 'zzzzzzzz', 'The command list shows'],
    ['an empty namespace says so', [], 'www.example.com', 'namespace acme has none; name the account'],
    ['two accepted ones are told apart by name', domains, 'both.example.com', 'one and two; give one of these'],
  ])('%s', (_, among, meant, sentence) => {
    expect(() => pickDomain(among, meant, 'acme')).toThrow(sentence);
  });
});

describe('a key is meant', () => {
  const key = (name: string, keyId?: string): ApiKey => ({
    apiVersion,
    kind: 'ApiKey',
    metadata: { name },
    spec: { account: 'acme', scopes: ['domains:read'], ...(keyId ? { keyId } : {}) },
  });
  const keys = [key('ci', 'abcdefgh12345678'), key('waiting'), key('abcdefgh12345678', 'zzzzzzzz87654321')];

  it.each([
    ['by its name', 'ci', 'ci'],
    ['by its id', 'zzzzzzzz87654321', 'abcdefgh12345678'],
    ['by its name before another one with this id', 'abcdefgh12345678', 'abcdefgh12345678'],
    ['while it has no id yet', 'waiting', 'waiting'],
  ])('%s', (_, meant, name) => {
    expect(pickKey(keys, meant).metadata.name).toBe(name);
  });

  it('and a typo gives the nearest', () => {
    expect(() => pickKey(keys, 'waitin')).toThrow('Did you mean waiting?');
  });
});

describe('the nearest names', () => {
  it.each([
    ['the likeliest first', 'shop', ['ship', 'shop1', 'sheep', 'zebra'], ['ship', 'shop1', 'sheep']],
    ['a part of a longer name counts', 'example', ['www.example.com'], ['www.example.com']],
    ['three at most, each once', 'a1', ['a2', 'a3', 'a4', 'a5', 'a2'], ['a2', 'a3', 'a4']],
    ['none when none is near', 'shop', ['kitchen', 'garden'], []],
  ])('%s', (_, meant, names, expected) => {
    expect(closestWord(meant, names)).toEqual(expected);
  });
});
