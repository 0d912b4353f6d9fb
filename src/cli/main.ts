import { messageOf } from '../lib/error-serializer.ts';
import { CommandFailure, UsageError } from './usage-errors.ts';
import { tell, writeText } from './terminal-output.ts';

const wrongUsage = 3;

interface Command {
  readonly usage: string;
  run(args: readonly string[]): number | Promise<number>;
}

/** Each is loaded when it is called: all of them together take twice as long to load as the largest. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  list: () => import('./list-command.ts'),
  records: () => import('./records-command.ts'),
  verify: () => import('./verify-command.ts'),
  wait: () => import('./wait-command.ts'),
  probe: () => import('./probe-command.ts'),
  migrate: () => import('./migrate/migrate-command.ts'),
  keys: () => import('./keys/keys-command.ts'),
  quota: () => import('./quota-command.ts'),
  revoke: () => import('./revoke/revoke-command.ts'),
  check: () => import('./check/check-command.ts'),
  backup: () => import('./backup/backup-command.ts'),
  reference: async () => (await import('./reference/reference-commands.ts')).reference,
  openapi: async () => (await import('./reference/reference-commands.ts')).openApi,
};

const helpWords = ['--help', '-h'];

const overview = `usage: projectdomain <command> [options]

  list      lists the domains of a namespace
  records   shows what a customer must create in DNS for a domain, and what is found instead
  verify    requests a DNS check now
  wait      waits until a domain is in a state
  probe     asks for every Live hostname at an address, such as that of another edge
  migrate   moves projects to another routing class, and shows what is left to do
  keys      creates, lists and deletes API keys
  quota     shows who is limited, who is banned, and why
  revoke    has the certificates of a hostname revoked
  check     checks a hostname's DNS as the operator does, and says what to change
  backup    prints everything that a restore on an empty cluster needs
  openapi   prints the OpenAPI document of the REST API
  reference prints every reason, code, state and scope with its meaning

Run projectdomain <command> --help for details.`;

/** A usage text with the name that this program was called by, such as `kubectl projectdomain`. */
function named(usage: string): string {
  const calledAs = process.env.PROJECTDOMAIN_CALLED_AS ?? 'projectdomain';
  return usage.replaceAll(/^(usage: | {7}|)projectdomain /gm, `$1${calledAs} `);
}

/** The command line. Only results go to stdout. */
async function main([name = '', ...args]: readonly string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? await commands[name]?.() : undefined;
  const { usage } = command ?? { usage: overview };
  if (helpWords.includes(name) || helpWords.some((word) => args.includes(word))) {
    writeText(named(usage));
    return 0;
  }
  try {
    if (!command) throw new UsageError(unknownCommand(name));
    return await command.run(args);
  } catch (error) {
    if (error instanceof CommandFailure) {
      tell(error.message);
      return 1;
    }
    if (!(error instanceof UsageError)) return unexpected(error);
    tell(`${error.message}\n\n${named(usage)}`);
    return wrongUsage;
  }
}

/** As Node.js would end, but its own report goes to the terminal as it is. */
function unexpected(error: unknown): number {
  tell((error instanceof Error ? error.stack : undefined) ?? messageOf(error));
  return 1;
}

function unknownCommand(name: string): string {
  if (name === '') return 'a command is missing';
  return name.startsWith('-') ? 'write the command before its options' : `there is no command '${name}'`;
}

// When started by a launcher, exit with it.
process.once('disconnect', () => process.exit(1));
process.channel?.unref();
process.exitCode = await main(process.argv.slice(2));
