import { randomUUID } from 'node:crypto';
import { childName } from '../../../src/rules/dns-target.ts';
import type { IssuedFiles } from './edge-certificates.ts';
import type { EdgeHostname } from './edge-objects.ts';
import type { CallEtcd } from './etcd-json.ts';
import { putAll, valueAt } from './etcd-json.ts';

/** Of the three objects by which a hostname's certificate was issued. */
export interface IssuedUids {
  readonly certificate: string;
  readonly request: string;
  readonly order: string;
}

/** A hostname whose objects are there. */
export interface IssuedHostname {
  readonly wanted: EdgeHostname;
  readonly uids: IssuedUids;
  readonly files: IssuedFiles;
}

/** Writes the same three objects for another hostname. */
export type CloneIssued = (wanted: EdgeHostname, files: IssuedFiles) => Promise<void>;

/** Copies what is stored of one hostname to others, with every name, uid and certificate replaced. */
export async function cloneIssued(etcd: CallEtcd, template: IssuedHostname): Promise<CloneIssued> {
  const stored = await Promise.all(
    keysOf(template.wanted).map(async (key) => [key, await valueAt(etcd, key)] as const),
  );
  const from = textsOf(template);
  const missing = from.findIndex((text) => !stored.some(([, value]) => value.includes(text)));
  if (missing >= 0) throw new Error(`text ${missing} of what was issued is not in what is stored`);
  return async (wanted, files) => {
    const uids = { certificate: randomUUID(), request: randomUUID(), order: randomUUID() };
    const to = textsOf({ wanted, files, uids });
    const keys = keysOf(wanted);
    const values = stored.map(([, value], index) => [keys[index] ?? '', replaced(value, from, to)] as const);
    await putAll(etcd, Object.fromEntries(values));
  };
}

/** Where a kube-apiserver stores them. */
function keysOf({ hostname, namespace }: EdgeHostname): readonly string[] {
  const name = childName(hostname);
  return [
    `/registry/cert-manager.io/certificates/${namespace}/${name}`,
    `/registry/cert-manager.io/certificaterequests/${namespace}/${name}-1`,
    `/registry/acme.cert-manager.io/orders/${namespace}/${name}-1-1234567890`,
  ];
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** What differs between hostnames, as it stands in JSON. */
const textsOf = ({ wanted: { hostname, namespace, owner }, uids, files }: IssuedHostname): readonly string[] => [
  hostname,
  childName(hostname),
  `"${namespace}"`,
  owner.metadata.uid ?? '',
  uids.certificate,
  uids.request,
  uids.order,
  base64(files.chain),
  base64(files.signingRequest),
];

const replaced = (text: string, from: readonly string[], to: readonly string[]): string =>
  from.reduce((changed, old, index) => changed.replaceAll(old, to[index] ?? ''), text);
