import type { ControlPlane } from '../../../dev/platform/control-plane.ts';
import type { Kubectl } from '../../../dev/platform/kubectl.ts';
import type { PlatformFacts } from '../../../dev/platform/platform.ts';
import type { AcmeAuthority } from '../../../dev/platform/services.ts';
import { createIssuer } from '../../../dev/platform/services.ts';
import type { Stage } from '../../../dev/story/stage.ts';
import { startInstalled } from '../../support/installed.ts';
import { testPlatform, testStage } from '../../support/platform.ts';

/** A whole platform with an AcmeIssuer, and beside it cert-manager's own issuer and an address for Caddy. */
export interface BenchPlatform {
  readonly facts: Pick<PlatformFacts, 'ingressAddress' | 'acmeRoot'>;
  readonly kubectl: Kubectl;
  readonly controlPlane: Pick<ControlPlane, 'server' | 'caFile'>;
  readonly acme: AcmeAuthority;
  readonly stage: Stage;
  /** where nothing has ports 80 and 443 yet */
  readonly caddyAddress: string;
  stop(): Promise<void>;
}

/** Processes on loopback. */
async function startProcesses(): Promise<BenchPlatform> {
  const platform = await testPlatform(true, { issuer: 'AcmeIssuer' });
  const stage = testStage(platform, 120_000);
  const { facts, kubectl, controlPlane, acme } = platform;
  await createIssuer(kubectl, acme);
  const stop = async () => {
    await stage.close();
    await platform.stop();
  };
  return { facts, kubectl, controlPlane, acme, stage, caddyAddress: facts.ingressAddress.replace(/\d+$/, '5'), stop };
}

/** A node with real Pods and our chart; root needed. */
async function startNode(): Promise<BenchPlatform> {
  const { cluster, stage, stop } = await startInstalled();
  const { kubectl, controlPlane, acme, corner } = cluster;
  await createIssuer(kubectl, acme);
  const facts = { ingressAddress: corner.nodeAddress, acmeRoot: cluster.acmeRoot };
  return { facts, kubectl, controlPlane, acme, stage, caddyAddress: corner.address, stop };
}

export const platformOfLevel: Readonly<Record<string, () => Promise<BenchPlatform>>> = {
  1: startProcesses,
  2: startNode,
};
