import { parse } from 'yaml';
import { renderChart } from '../../../dev/platform/chart.ts';
import type { Values } from './values.ts';

/** A rendered object, as far as tests look at any. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>>;
}

export interface Container {
  readonly name: string;
  readonly args?: readonly string[];
  readonly command?: readonly string[];
  readonly env?: readonly unknown[];
  readonly readinessProbe?: object;
  readonly livenessProbe?: object;
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string>>;
    readonly limits?: Readonly<Record<string, string>>;
  };
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

export interface PodSpec {
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly { readonly name: string }[];
  readonly [other: string]: unknown;
}

/** What was parsed before, by its text: most documents are the same in every rendering, and definitions take long. */
const parsed = new Map<string, Manifest | null>();

function manifestOf(text: string): Manifest | null {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const manifest = parse(text) as Manifest | null;
  parsed.set(text, manifest);
  return manifest;
}

/** Every object that these values install. */
export async function render(helm: string, values: Values): Promise<readonly Manifest[]> {
  const documents = (await renderChart(helm, values)).split(/^---$/m);
  return documents.map(manifestOf).filter((manifest) => manifest !== null);
}

export const nameOf = ({ kind, metadata }: Manifest): string =>
  `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;

/** What a Pod is made from, in a Deployment or standing alone; null for everything else. */
export function podOf({ kind, spec }: Manifest): PodSpec | null {
  if (kind === 'Pod') return spec as unknown as PodSpec;
  if (kind !== 'Deployment') return null;
  return (spec as unknown as { template: { spec: PodSpec } }).template.spec;
}

/** The password that helm draws for the included Redis; null without one. */
export const drawnPassword = (manifests: readonly Manifest[]): string | null =>
  manifests.find(({ kind, stringData }) => kind === 'Secret' && stringData?.password !== undefined)?.stringData
    ?.password ?? null;

/** Two renderings of the same values are the same text. */
export function textOf(manifests: readonly Manifest[]): string {
  const text = JSON.stringify(manifests);
  const password = drawnPassword(manifests);
  return password === null ? text : text.replaceAll(password, 'drawn');
}
