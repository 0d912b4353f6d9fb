import { beforeAll, expect, it } from '@jest/globals';
import { findTools } from '../../../dev/platform/tools.ts';
import { podOf, render } from './rendering.ts';
import { base, merged } from './values.ts';

/** The included Redis where charts are rendered again and again without a look at the cluster. */

let helm = '';
beforeAll(async () => {
  ({ helm } = await findTools((line) => process.stderr.write(`${line}\n`)));
});

it("keeps the password that its user's Secret has, and draws none", async () => {
  const values = merged(base, { redis: { url: '', included: true, passwordSecret: { name: 'own', key: 'word' } } });
  const [once, again] = [await render(helm, values), await render(helm, values)];
  expect(once).toEqual(again);
  const password = { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'own', key: 'word' } } };
  const environments = once
    .filter(({ metadata }) => metadata.name === 'projectdomain-redis')
    .flatMap((manifest) => podOf(manifest)?.containers.map(({ env }) => env) ?? []);
  expect(environments).toEqual([[password]]);
  expect(once.filter(({ kind, stringData }) => kind === 'Secret' && stringData !== undefined)).toEqual([]);
});
