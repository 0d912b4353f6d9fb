/** A key of etcd and its value, as text. */
export interface EtcdEntry {
  readonly key: string;
  readonly value: string;
}

/** Everything that a kube-apiserver has stored, read and written past it: etcd's JSON gateway. */
export interface EtcdData {
  read(): Promise<readonly EtcdEntry[]>;
  /** Writes all entries, many at a time. */
  write(entries: Iterable<EtcdEntry>): Promise<void>;
  remove(key: string): Promise<void>;
}

const prefix = '/registry/';
/** The first key after all that begin with the prefix. */
const prefixEnd = '/registry0';
/** etcd takes 128 operations and 1.5 MB at once. */
const operationsAtOnce = 100;
const bytesAtOnce = 600_000;
const requestsAtATime = 6;

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const textOf = (encoded: string): string => Buffer.from(encoded, 'base64').toString();

export function openEtcdData(url: string): EtcdData {
  const post = async (path: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${url}/v3/kv/${path}`, { method: 'POST', body: JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`etcd answered ${answer.status}: ${text.slice(0, 300)}`);
    return JSON.parse(text);
  };
  return {
    async read() {
      const range = { key: base64(prefix), range_end: base64(prefixEnd) };
      const { kvs = [] } = (await post('range', range)) as { kvs?: readonly EtcdEntry[] };
      return kvs.map(({ key, value }) => ({ key: textOf(key), value: textOf(value) }));
    },
    async write(entries) {
      const batches = batchesOf(entries);
      const work = async () => {
        for (const batch of batches) {
          const success = batch.map(({ key, value }) => ({ requestPut: { key: base64(key), value: base64(value) } }));
          await post('txn', { success });
        }
      };
      await Promise.all(Array.from({ length: requestsAtATime }, work));
    },
    async remove(key) {
      await post('deleterange', { key: base64(key) });
    },
  };
}

function* batchesOf(entries: Iterable<EtcdEntry>): Generator<readonly EtcdEntry[]> {
  let batch: EtcdEntry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    batch.push(entry);
    bytes += entry.value.length;
    if (batch.length < operationsAtOnce && bytes < bytesAtOnce) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
