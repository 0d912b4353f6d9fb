import { beforeAll, describe, expect, it } from '@jest/globals';
import { findTools } from '../../../dev/platform/tools.ts';
import { render } from './rendering.ts';
import { base, merged } from './values.ts';

/** That the admission policies are there when nothing is said, and refuse when they cannot tell. */

const names = [
  ...['deletions', 'kinds', 'nonces', 'own-certificates', 'own-rights'],
  ...['pods', 'redirector', 'routes', 'secrets', 'services'],
].map((name) => `projectdomain-${name}`);

let helm = '';
beforeAll(async () => {
  ({ helm } = await findTools((line) => process.stderr.write(`${line}\n`)));
});

describe('admission policies', () => {
  it('are all installed when nothing is said, refuse what they cannot judge, and bind by denial', async () => {
    const manifests = await render(helm, base);
    const policies = manifests.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy');
    expect(policies.map(({ metadata }) => metadata.name).toSorted()).toEqual(names);
    expect(policies.map(({ spec }) => spec?.failurePolicy)).toEqual(names.map(() => 'Fail'));
    const bindings = manifests.filter(({ kind }) => kind === 'ValidatingAdmissionPolicyBinding');
    expect(bindings.map(({ spec }) => spec?.policyName).toSorted()).toEqual(names);
    expect(bindings.map(({ spec }) => spec?.validationActions)).toEqual(names.map(() => ['Deny']));
  });

  it.each([
    ['none where they are switched off', { enabled: false }, []],
    [
      'all but the one on deletions where that is switched off',
      { guardDeletion: false },
      names.filter((name) => !name.endsWith('deletions')),
    ],
  ])('are %s', async (_, admissionPolicy, expected) => {
    const manifests = await render(helm, merged(base, { admissionPolicy }));
    const policies = manifests.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy');
    expect(policies.map(({ metadata }) => metadata.name).toSorted()).toEqual(expected);
  });
});
