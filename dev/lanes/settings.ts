import type { Started } from '../../test/support/run-conformance.ts';
import { startConformance } from '../../test/support/run-conformance.ts';
import { shareControlPlane } from '../../test/support/control-plane.ts';
import { sharePlatform } from '../../test/support/shared-platform.ts';
import { shareShippedCluster } from '../../test/support/shipped-cluster.ts';
import type { Setting } from './lanes.ts';

/** How files of a setting are run, and what is there for all of them. */
interface Running {
  /** how many processors a file keeps busy at least */
  readonly processors: number;
  readonly memoryBytes: number;
  /** what a file of it takes that was never measured */
  readonly usualSeconds: number;
  /** Whether a file that fails runs once more, alone: real parts may fail of a busy machine, decisions may not. */
  readonly isTriedAgain: boolean;
  /** whether one process runs several files, one after another; else each has one of its own */
  readonly areTogether: boolean;
  /** whether these load what they import once for all of them: what they share there knows no file by its name */
  readonly sharesImports: boolean;
  /** whether it runs beside no other file that shares the same */
  readonly isAlone: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly shares?: Shared;
}

/** What all files of some settings share. */
export interface Shared {
  readonly name: string;
  /** starts it, and tells files of it by their environment */
  start(): Promise<Started>;
}

const gigabyte = 1e9;

/** Decisions: nothing is waited for. */
const processes: Running = {
  processors: 1,
  memoryBytes: gigabyte,
  usualSeconds: 0.7,
  isTriedAgain: false,
  areTogether: true,
  sharesImports: true,
  isAlone: false,
};

/** A platform of the file's own, which mostly waits. */
const platform: Running = {
  processors: 0.5,
  memoryBytes: 1.8 * gigabyte,
  usualSeconds: 100,
  isTriedAgain: true,
  areTogether: false,
  sharesImports: false,
  isAlone: false,
};

const browser: Running = { ...platform, processors: 1.2, usualSeconds: 60 };

const ofClusterIssuer = { env: { ISSUER: 'ClusterIssuer' } } as const;

const nothing = { env: {}, stop: () => Promise.resolve() };
/** Nothing is started, but one file at a time has it for itself. */
const turn = (name: string) => ({ isAlone: true, shares: { name, start: () => Promise.resolve(nothing) } });

const shipped: Shared = { name: 'shipped cluster', start: shareShippedCluster };
const bare: Shared = { name: 'control plane', start: shareControlPlane };
const ofOperator: Shared = { name: 'platform', start: sharePlatform('AcmeIssuer') };
const ofCertManager: Shared = { name: 'platform of cert-manager', start: sharePlatform('ClusterIssuer') };
const behindTraefik: Shared = { name: 'platform behind Traefik', start: () => startConformance('traefik') };

export const settings: Readonly<Record<Setting, Running>> = {
  processes,
  'own process': { ...processes, usualSeconds: 60, areTogether: false },
  'fresh seeds': { ...processes, usualSeconds: 10, env: { PROJECTDOMAIN_SEEDS: 'fresh' } },
  'fresh seeds, own process': {
    ...processes,
    ...{ usualSeconds: 200, areTogether: false, sharesImports: false, env: { PROJECTDOMAIN_SEEDS: 'fresh' } },
  },
  faults: { ...processes, processors: 0.4, usualSeconds: 9, isTriedAgain: true },
  names: { ...processes, processors: 0.3, usualSeconds: 30, areTogether: false, ...turn('names') },
  browser,
  alone: { ...browser, ...ofClusterIssuer, usualSeconds: 300, ...turn('alone') },
  platform,
  'platform of cert-manager': { ...platform, ...ofClusterIssuer },
  'shared platform': { ...platform, shares: ofOperator },
  'shared platform, alone': { ...platform, isAlone: true, shares: ofOperator },
  'shared platform of cert-manager': { ...platform, shares: ofCertManager },
  'shared platform of cert-manager, alone': { ...platform, isAlone: true, shares: ofCertManager },
  node: { ...platform, ...turn('node') },
  Firefox: { ...browser, usualSeconds: 300, env: { ...ofClusterIssuer.env, PROJECTDOMAIN_BROWSER: 'firefox' } },
  'shared cluster': {
    ...platform,
    ...{ processors: 0.7, memoryBytes: gigabyte, usualSeconds: 10, areTogether: true, shares: shipped },
  },
  'shared control plane': {
    ...platform,
    ...{ processors: 0.7, memoryBytes: gigabyte, usualSeconds: 40, areTogether: true, shares: bare },
  },
  'attack platform': { ...platform, usualSeconds: 30, areTogether: true, isAlone: true, shares: ofCertManager },
  'conformance on Traefik': {
    ...platform,
    ...{ usualSeconds: 20, areTogether: true, isAlone: true, shares: behindTraefik },
  },
};
