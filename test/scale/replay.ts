import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tokenOf } from '../../dev/platform/ours.ts';
import type { ClusterSize } from './made-names.ts';
import { accountName, accountOf, uuidOf } from './made-names.ts';
import type { MadeObjects } from './made-objects.ts';
import { onOurProcessor } from './processors.ts';
import type { RecordedWrite, RecordedWrites } from './recorded-writes.ts';
import { wordsOf } from './recorded-writes.ts';
import type { ScaleCluster } from './scale-cluster.ts';
import { textTemplate } from './text-template.ts';

/** What the plain client is told. */
export interface ReplayInput {
  readonly server: string;
  readonly caFile: string;
  readonly tokens: { readonly operator: string; readonly others: string };
  readonly recorded: RecordedWrites;
  readonly size: ClusterSize;
  /** of these domains, each with its target */
  readonly domains: readonly (readonly [number: number, target: string])[];
  readonly atATime: number;
}

export interface RenderedWrite extends Omit<RecordedWrite, 'body'> {
  readonly text: string;
}

const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The recorded writes of one domain as those of each of many others. */
export function renderWrites({
  recorded: { writes, words },
  size,
  domains,
}: Pick<ReplayInput, 'recorded' | 'size' | 'domains'>): (readonly RenderedWrite[])[] {
  const fields = Object.keys(words) as (keyof typeof words)[];
  const uids = new Set(JSON.stringify(writes).match(uid));
  const all = [...fields.map((field) => words[field]), ...uids];
  const templates = writes.map(({ path, body, ...rest }) => ({
    rest,
    path: textTemplate(path, all),
    text: textTemplate(JSON.stringify(body), all),
  }));
  return domains.map(([number, target]) => {
    const its = wordsOf({ account: accountName(accountOf(number, size)), number, target });
    const values = new Map(fields.map((field) => [words[field], its[field]]));
    const valueOf = (word: string) => values.get(word) ?? uuidOf(`${word} of domain ${number}`);
    return templates.map(({ rest, path, text }) => ({
      ...rest,
      path: path.render(valueOf),
      text: text.render(valueOf),
    }));
  });
}

interface Replay {
  readonly cluster: ScaleCluster;
  readonly recorded: RecordedWrites;
  readonly size: ClusterSize;
  readonly made: Pick<MadeObjects, 'targetOf'>;
  /** the numbers of the domains, whose projects are there */
  readonly numbers: readonly number[];
  /** of an administrator */
  readonly token: string;
}

const atATime = 32;

/** Has the plain client write all of that on the processor that the operator had; how many seconds it took. */
export async function replayWrites({ cluster, recorded, size, made, numbers, token }: Replay): Promise<number> {
  const { around, controlPlane } = cluster;
  const { server, caFile } = controlPlane;
  const tokens = { operator: await tokenOf('operator', around), others: token };
  const domains = numbers.map((number) => [number, made.targetOf(number)] as const);
  const input: ReplayInput = { server, caFile, tokens, recorded, size, domains, atATime };
  const file = join(around.dir, 'replay.json');
  writeFileSync(file, JSON.stringify(input), { mode: 0o600 });
  const bound = ['setpriv', '--pdeathsig', 'KILL', '--'];
  const client = join(import.meta.dirname, 'plain-client.ts');
  return Number(
    await outputOf([
      ...bound,
      ...onOurProcessor,
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      client,
      file,
    ]),
  );
}

function outputOf([program = '', ...args]: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    child.on('error', reject);
    child.on('close', (status) =>
      status === 0 ? resolve(text) : reject(new Error(`the plain client ended with ${status}`)),
    );
  });
}
