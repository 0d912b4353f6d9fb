import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { ApiOnStores } from '../../support/api-on-stores.ts';
import { startApiOnStores } from '../../support/api-on-stores.ts';

/** An open stream looks at the caches when its own domain changes, and at no change of anybody else's. */

let api: ApiOnStores;
let key = '';
const left = new AbortController();
beforeEach(async () => {
  api = await startApiOnStores();
  ({ key } = api.account('acme', 'pro'));
  api.account('other', 'pro');
});
afterEach(() => {
  left.abort();
  return api.stop();
});

const domain = (namespace: string, name: string, state: string) => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'ProjectDomain',
  metadata: { namespace, name },
  spec: { project: 'shop', hostname: `${name}.example.com`, role: 'Primary' },
  status: { state, conditions: [{ type: 'Ready', status: 'False', reason: 'Changed', message: `now ${state}` }] },
});

it('tells of its own domain, and reads nothing for thousands of changes of others', async () => {
  api.put(domain('acme', 'www', 'Unverified'));
  const read: string[] = [];
  const { domains } = api.stores;
  const { get } = domains;
  domains.get = (asked) => {
    read.push(`${asked.namespace}/${asked.name}`);
    return get(asked);
  };
  domains.subscribe = () => {
    throw new Error('whoever hears everything is called for everything');
  };
  const response = await fetch(`${api.url}/v1/projects/shop/domains/www.example.com/events`, {
    headers: { authorization: `Bearer ${key}` },
    signal: left.signal,
  });
  let text = '';
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const hear = async () => {
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) text += part.value;
  };
  void hear().catch(() => undefined);
  const hears = (word: string) =>
    eventually(`it says ${word}`, 5_000, () => Promise.resolve(expectThat(text.includes(word), text)));
  await hears('"state":"unverified"');
  read.length = 0;
  for (let index = 0; index < 2_000; index += 1) {
    api.put(domain('other', `d${index}`, 'Live'));
    api.put(domain('acme', `d${index}`, 'Live'));
  }
  await new Promise((resolve) => setImmediate(resolve));
  expect(read.filter((name) => name === 'acme/www')).toEqual([]);
  api.put(domain('acme', 'www', 'Live'));
  await hears('"state":"live"');
});
