import { check, exitStatus, printReport } from './cli/check.ts';
import { checkArguments, checkUsage } from './cli/check-arguments.ts';
import { keys, keysUsage } from './cli/keys.ts';
import { UsageError } from './cli/usage.ts';
import { openApiDocument } from './api/openapi.ts';
import { routes } from './api/routes.ts';

const wrongUsage = 3;

interface Command {
  readonly usage: string;
  run(args: readonly string[]): number | Promise<number>;
}

const commands: Readonly<Record<string, Command>> = {
  check: {
    usage: checkUsage,
    async run(args) {
      const given = checkArguments(args);
      const report = await check(given);
      console.log(given.json ? JSON.stringify(report, null, 2) : printReport(report));
      return exitStatus(report);
    },
  },
  keys: { usage: keysUsage, run: keys },
  openapi: {
    usage: 'usage: projectdomain openapi\n\nPrints the OpenAPI 3.1 document of the REST API.',
    run() {
      console.log(JSON.stringify(openApiDocument(routes), null, 2));
      return 0;
    },
  },
};

const helpWords = ['--help', '-h'];

const overview = `usage: projectdomain <command> [options]

  check     looks at a hostname's DNS as the operator does, and says what to change
  keys      makes API keys
  openapi   prints the REST API's description

projectdomain <command> --help says more.`;

/** The command line. Only the answer goes to stdout. */
async function main([name = '', ...args]: readonly string[]): Promise<number> {
  const command = commands[name];
  const { usage } = command ?? { usage: overview };
  if (helpWords.includes(name) || args.includes('--help')) {
    console.log(usage);
    return 0;
  }
  try {
    if (!command) throw new UsageError(name ? `there is no command '${name}'` : 'a command is missing');
    return await command.run(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${usage}`);
    return wrongUsage;
  }
}

process.exitCode = await main(process.argv.slice(2));
