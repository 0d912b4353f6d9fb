import { beforeAll, expect, it } from '@jest/globals';
import { findTools } from '../../../dev/platform/tools.ts';
import { podOf, render } from './rendering.ts';
import { base } from './values.ts';

/** What the operator hands over to the API beside it never reaches a disk, and only the operator can change it. */

let helm = '';
beforeAll(async () => {
  ({ helm } = await findTools((line) => process.stderr.write(`${line}\n`)));
});

it('the folder between operator and API lies in memory, and the API cannot write to it', async () => {
  const manifests = await render(helm, base);
  const pods = manifests.filter(({ metadata }) => metadata.name === 'projectdomain-operator').map(podOf);
  const [pod] = pods.filter((candidate) => candidate !== null);
  const volume = pod?.volumes?.find(({ name }) => name === 'handed-over');
  expect(volume).toMatchObject({ emptyDir: { medium: 'Memory' } });
  const mounts = pod?.containers.map(({ name, volumeMounts = [] }) => [
    name,
    volumeMounts.filter((mount) => mount.name === 'handed-over'),
  ]);
  expect(mounts).toEqual([
    ['operator', [{ name: 'handed-over', mountPath: '/var/run/projectdomain' }]],
    ['api', [expect.objectContaining({ name: 'handed-over', readOnly: true })]],
  ]);
});
