import { check, exitStatus, printReport } from './cli/check.ts';
import { checkArguments, checkUsage, UsageError } from './cli/check-arguments.ts';

const wrongUsage = 3;

/** The command line: `projectdomain check …`. Only the answer goes to stdout. */
async function main([command, ...args]: readonly string[]): Promise<number> {
  if (command === '--help' || command === '-h' || args.includes('--help')) {
    console.log(checkUsage);
    return 0;
  }
  try {
    if (command !== 'check')
      throw new UsageError(command ? `there is no command '${command}'` : 'a command is missing');
    const given = checkArguments(args);
    const report = await check(given);
    console.log(given.json ? JSON.stringify(report, null, 2) : printReport(report));
    return exitStatus(report);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${checkUsage}`);
    return wrongUsage;
  }
}

process.exitCode = await main(process.argv.slice(2));
