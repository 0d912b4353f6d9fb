import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import { listAll, listPages, trimmed } from '../../../src/kubernetes/list-pages.ts';
import type { Transport } from '../../../src/kubernetes/transport.ts';
import { IngressKind } from '../../../src/resources/kinds.ts';

const route = (name: string) => ({ metadata: { name, managedFields: [{ manager: 'somebody' }] }, spec: { rules: [] } });

/** Gives each page in turn, and remembers what was asked for. */
function pagesOf(...pages: readonly (readonly object[])[]) {
  const paths: string[] = [];
  const call = ({ path }: { readonly path: string }) => {
    paths.push(path);
    const last = paths.length === pages.length;
    const metadata = { resourceVersion: '7', ...(last ? {} : { continue: `after-${paths.length}` }) };
    return Promise.resolve({ metadata, items: pages[paths.length - 1] });
  };
  return { transport: { call } as unknown as Transport, paths };
}

describe('a list', () => {
  it('comes in pages, each asked for by the token of the one before', async () => {
    const { transport, paths } = pagesOf([route('a'), route('b')], [route('c')]);
    const pages: string[][] = [];
    for await (const { items, resourceVersion } of listPages(transport, IngressKind)) {
      pages.push(items.map(({ metadata }) => `${metadata.name}@${resourceVersion}`));
    }
    expect(pages).toEqual([['a@7', 'b@7'], ['c@7']]);
    expect(paths.map((path) => /continue=([^&]*)/.exec(path)?.[1])).toEqual([undefined, 'after-1']);
  });

  it('is whole where all of it is asked for', async () => {
    const { transport } = pagesOf([route('a')], [route('b')], []);
    const names = (await listAll(transport, IngressKind)).map(({ metadata }) => metadata.name);
    expect(names).toEqual(['a', 'b']);
  });
});

it('an object of a list reads the same as in a watch event, so that a packed one is known again', () => {
  const { apiVersion, kind } = IngressKind;
  const told = { kind, apiVersion, ...route('a') } as unknown as KubernetesObject;
  const listed = route('a') as unknown as KubernetesObject;
  const [first, second] = [told, listed].map((object) => JSON.stringify(trimmed(IngressKind as never, object)));
  expect(first).toBe(second);
  expect(JSON.parse(first ?? '')).toEqual({ apiVersion, kind, metadata: { name: 'a' }, spec: { rules: [] } });
});
