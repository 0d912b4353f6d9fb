/** etcd's own API as JSON (grpc-gateway): `kv/put` and the like. Rejects on any status that is not 200. */
export type CallEtcd = (call: string, body: object) => Promise<unknown>;

const port = 2_379;

/** The etcd of a control plane at this address. */
export const etcdAt =
  (address: string): CallEtcd =>
  async (call, body) => {
    const response = await fetch(`http://${address}:${port}/v3/${call}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`etcd, ${call}: ${response.status} ${text.slice(0, 300)}`);
    return JSON.parse(text) as unknown;
  };

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** How often anything has been written since etcd was new. */
export async function revisionOf(etcd: CallEtcd): Promise<number> {
  const seen = (await etcd('kv/range', { key: base64('/') })) as { readonly header: { readonly revision: string } };
  return Number(seen.header.revision);
}

/** Forgets all but the newest version of every object, and gives the room back to the disk. */
export async function compact(etcd: CallEtcd): Promise<void> {
  await etcd('kv/compaction', { revision: await revisionOf(etcd), physical: true });
  await etcd('maintenance/defragment', {});
}

/** What etcd holds, bytes: its file, and what of it is in use. */
export async function databaseBytes(address: string): Promise<{ readonly file: number; readonly inUse: number }> {
  const text = await (await fetch(`http://${address}:${port}/metrics`)).text();
  const gauge = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    file: gauge('etcd_mvcc_db_total_size_in_bytes'),
    inUse: gauge('etcd_mvcc_db_total_size_in_use_in_bytes'),
  };
}

/** A value, as text: objects of custom resources are stored as JSON. */
export async function valueAt(etcd: CallEtcd, key: string): Promise<string> {
  const { kvs = [] } = (await etcd('kv/range', { key: base64(key) })) as {
    readonly kvs?: readonly { readonly value: string }[];
  };
  const [found] = kvs;
  if (!found) throw new Error(`etcd has nothing at ${key}`);
  return Buffer.from(found.value, 'base64').toString();
}

/** Writes values at once, by their keys. */
export async function putAll(etcd: CallEtcd, values: Readonly<Record<string, string>>): Promise<void> {
  const puts = Object.entries(values).map(([key, value]) => ({ key: base64(key), value: base64(value) }));
  await etcd('kv/txn', { success: puts.map((requestPut) => ({ requestPut })) });
}
