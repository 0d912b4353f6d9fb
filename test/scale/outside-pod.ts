import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OurName, OurPart } from '../../dev/platform/ours.ts';
import { metricsUrlOf, programOf, settingsOf, tokenOf } from '../../dev/platform/ours.ts';
import { startPart } from '../../dev/platform/process.ts';
import type { ScaleCluster } from './scale-cluster.ts';

/** Starts one of our processes with a kubeconfig, where nothing is measured of it: that needs neither namespaces nor limits. */
export async function startOutsidePod(name: OurName, cluster: ScaleCluster, settings: object): Promise<OurPart> {
  const { around, controlPlane, context } = cluster;
  const kubeconfig = controlPlane.kubeconfigWith(name, await tokenOf(name, around));
  const configFile = join(around.dir, `${name}.json`);
  writeFileSync(configFile, JSON.stringify({ ...(await settingsOf(name, context)), kubeconfig, ...settings }));
  const part = await startPart({
    name,
    program: process.execPath,
    dir: around.dir,
    args: ['--disable-warning=ExperimentalWarning', programOf(name), '--config', configFile],
    env: { NODE_ENV: 'production' },
  });
  return { part, metricsUrl: metricsUrlOf(name, around) };
}
