import { outputOf } from '../../dev/lib/output.ts';
import type { UpdateServer } from './conformance-facts.ts';

const deadlineMs = 20_000;
/** seconds; nobody has to wait for what was there before */
const ttl = 1;

/**
 * Has these records for a name of the zone in place of all that it had, by a dynamic update (RFC 2136) of `nsupdate`. Lines are those of a master
 * file without an owner.
 */
export const updateRecords =
  ({ address, keyFile }: UpdateServer, zone: string) =>
  async (name: string, lines: readonly string[]): Promise<void> => {
    const script = [
      `server ${address.replace(/:(\d+)$/, ' $1')}`,
      `zone ${zone}.`,
      `update delete ${name}.`,
      ...lines.map((line) => `update add ${name}. ${ttl} ${line}`),
      'send',
      '',
    ];
    const key = keyFile === null ? [] : ['-k', keyFile];
    await outputOf('nsupdate', key, { input: script.join('\n'), timeout: deadlineMs });
  };
