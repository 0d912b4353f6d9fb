import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from './process.ts';
import { startSupervised } from './process.ts';
import type { Around } from './services.ts';
import { caDomain, ingressClass, issuerName } from './services.ts';

export const platformDomain = 'apps.example.net';
export const cnameDomain = `cname.${platformDomain}`;
export const systemNamespace = 'projectdomain-system';

const metricsPort = 9_402;

export interface OperatorPart {
  readonly part: Part;
  readonly metricsUrl: string;
}

/** The operator as it is shipped, pointed at this platform by a configuration file. */
export async function startOperator(
  around: Around,
  { acmeRoot, kubeconfig }: { acmeRoot: string; kubeconfig: string },
): Promise<OperatorPart> {
  const { dir, corner } = around;
  const configFile = join(dir, 'operator.json');
  const metricsAddress = `${corner.address}:${metricsPort}`;
  writeFileSync(
    configFile,
    JSON.stringify(
      {
        kubeconfig,
        platformDomain,
        cnameDomain,
        platformAddresses: [corner.address],
        roots: [`${corner.address}:53`],
        resolvers: [`${corner.address}:53`],
        permittedRanges: ['127.0.0.0/8'],
        issuer: { kind: 'ClusterIssuer', name: issuerName },
        caDomains: [caDomain],
        ingressClass,
        platformTls: 'PerHost',
        probe: { address: corner.address, port: 443, caFile: acmeRoot },
        systemNamespace,
        metricsAddress,
      },
      null,
      2,
    ),
  );
  const entry = join(import.meta.dirname, '../../src/operator.ts');
  const metricsUrl = `http://${metricsAddress}`;
  const part = await startSupervised({
    name: 'operator',
    program: process.execPath,
    dir,
    args: ['--disable-warning=ExperimentalWarning', entry, '--config', configFile],
    ready: async () => (await fetch(`${metricsUrl}/readyz`, { signal: AbortSignal.timeout(1_000) })).ok,
  });
  return { part, metricsUrl };
}
