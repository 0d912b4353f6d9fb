import { readFileSync } from 'node:fs';
import { createBulkApi, manyAtATime } from '../../dev/campaigns/bulk.ts';
import type { ReplayInput, RenderedWrite } from './replay.ts';
import { renderWrites } from './replay.ts';

/**
 * The plain client of `npm run bench:scale`, a process of its own: sends each domain's writes one after the other, 32 domains at
 * a time, and decides nothing. Prints how long that took, in seconds, and removes what it made, which no operator is to find.
 */
interface Answer {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly creationTimestamp: string;
    readonly finalizers?: readonly string[];
  };
}

const input = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ReplayInput;
const { server, caFile, tokens } = input;
const operator = createBulkApi(server, { caFile, token: tokens.operator });
const others = createBulkApi(server, { caFile, token: tokens.others });
const domains = renderWrites(input);
const written: [path: string, last: Answer['metadata']][] = [];
// A creationTimestamp has whole seconds.
const since = Math.floor(Date.now() / 1_000) * 1_000;
const begunAt = performance.now();
await manyAtATime(domains.values(), input.atATime, async (writes) => {
  const seen = new Map<string, Answer['metadata']>();
  for (const write of writes) await send(write, seen);
  written.push(...seen);
});
process.stdout.write(JSON.stringify((performance.now() - begunAt) / 1_000));
const made = written.filter(([, { creationTimestamp }]) => Date.parse(creationTimestamp) >= since);
await manyAtATime(made.values(), input.atATime, async ([path, { finalizers = [] }]) => {
  if (finalizers.length > 0) await others.send('PATCH', path, { metadata: { finalizers: null } });
  await others.send('DELETE', path);
});
operator.close();
others.close();

/** An object that the write names by uid and version is the one that an earlier write of the domain made. */
async function send({ method, path, byOperator, text }: RenderedWrite, seen: Map<string, Answer['metadata']>) {
  const body = JSON.parse(text) as { metadata?: { resourceVersion?: string; uid?: string } };
  const [address = ''] = path.split('?');
  const object = address.replace(/\/status$/, '');
  const known = seen.get(object);
  if (body.metadata?.resourceVersion !== undefined) {
    if (!known) throw new Error(`${method} ${path} names a version of what this client did not write`);
    Object.assign(body.metadata, { resourceVersion: known.resourceVersion, uid: known.uid });
  }
  const { kind, metadata } = (await (byOperator ? operator : others).send(method, path, body)) as Answer;
  if (kind === 'Status') throw new Error(`${method} ${path}: there already`);
  seen.set(method === 'POST' ? `${object}/${metadata.name}` : object, metadata);
}
