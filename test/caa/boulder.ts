import { outputOf } from '../../dev/lib/output.ts';
import { findTool } from '../../dev/platform/tools.ts';
import type { CaaAnswer, CaaInput } from './caa-case.ts';
import { accountId, accountPrefix, issuer, rdataOf } from './caa-case.ts';

export const progress = (line: string) => void process.stderr.write(`${line}\n`);

export type BoulderVerdict = 'yes' | 'no' | 'unknown';

/** Boulder's own verdicts on these records, by dev/tools/boulder. Rejects when it cannot be built, or fails. */
export async function askBoulder(inputs: readonly CaaInput[]): Promise<readonly BoulderVerdict[]> {
  const program = await findTool('boulder-caa', progress);
  const output = await outputOf(program, [], { input: inputs.map((input) => `${lineOf(input)}\n`).join('') });
  const lines = output.trim().split('\n');
  if (lines.length !== inputs.length) throw new Error(`${lines.length} verdicts on ${inputs.length} questions`);
  return lines.map((line) => (JSON.parse(line) as { verdict: BoulderVerdict }).verdict);
}

function lineOf({ hostname, names, method }: CaaInput): string {
  const answers = Object.entries(names).map(([name, answer]) => [name, answerOf(answer)]);
  return JSON.stringify({
    hostname,
    names: Object.fromEntries(answers) as object,
    issuer,
    accountPrefix,
    accountId,
    method,
  });
}

function answerOf(answer: CaaAnswer) {
  if (answer === 'nxdomain') return { nxdomain: true };
  if (answer === 'servfail') return { servfail: true };
  return 'alias' in answer ? { alias: answer.alias } : { caa: answer.map((record) => rdataOf(record).toString('hex')) };
}
