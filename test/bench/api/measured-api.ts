import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiUrl, programOf, settingsOf, tokenOf } from '../../../dev/platform/ours.ts';
import type { Part } from '../../../dev/platform/process.ts';
import { startPart } from '../../../dev/platform/process.ts';
import type { ScaleCluster } from '../../scale/scale-cluster.ts';
import { pin } from '../../scale/processors.ts';
import type { CpuProfile } from './cost-by-room.ts';

export interface MeasuredApi {
  readonly part: Part;
  readonly url: string;
}

interface ProfiledApi extends MeasuredApi {
  /** ends it, and reads what its processor did */
  profile(): Promise<CpuProfile>;
}

/** The API server as a process of its own on the first processor. Resolves once it is ready. */
export async function startApi(cluster: ScaleCluster, flags: readonly string[] = []): Promise<MeasuredApi> {
  const { around, controlPlane, context } = cluster;
  const settings = await settingsOf('api-server', context);
  const kubeconfig = controlPlane.kubeconfigWith('api-server', await tokenOf('api-server', around));
  const configFile = join(around.dir, 'measured-api.json');
  writeFileSync(configFile, JSON.stringify({ ...settings, kubeconfig }));
  const { metricsAddress } = settings as { readonly metricsAddress: string };
  const part = await startPart({
    name: 'measured-api',
    program: process.execPath,
    dir: around.dir,
    args: ['--disable-warning=ExperimentalWarning', ...flags, programOf('api-server'), '--config', configFile],
    env: { NODE_ENV: 'production' },
    ready: async () => (await fetch(`http://${metricsAddress}/readyz`, { signal: AbortSignal.timeout(1_000) })).ok,
  });
  pin(part.pid, 0);
  return { part, url: apiUrl(around) };
}

/** The same with V8's profiler, which makes it slower. */
export async function startProfiledApi(cluster: ScaleCluster): Promise<ProfiledApi> {
  const folder = join(cluster.around.dir, 'profiles');
  mkdirSync(folder, { recursive: true });
  const api = await startApi(cluster, ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=200']);
  return {
    ...api,
    async profile() {
      await api.part.stop();
      const [file = ''] = readdirSync(folder);
      return JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
    },
  };
}
