import { describe, expect, it } from '@jest/globals';
import { durationOf, printDuration } from '../../../src/cli/terminal-output.ts';
import { run as keys } from '../../../src/cli/keys/keys-command.ts';
import { run as list } from '../../../src/cli/list-command.ts';
import { run as migrate } from '../../../src/cli/migrate/migrate-command.ts';
import { run as probe } from '../../../src/cli/probe-command.ts';
import { run as records } from '../../../src/cli/records-command.ts';
import { UsageError } from '../../../src/cli/usage-errors.ts';
import { run as verify } from '../../../src/cli/verify-command.ts';
import { isIn, run as wait } from '../../../src/cli/wait-command.ts';

/** Nothing here reaches a cluster: a command line that is wrong is refused before a kubeconfig is looked for. */

const commands = { keys, list, migrate, probe, records, verify, wait };
type Command = keyof typeof commands;

describe('a wrong command line is said to be wrong', () => {
  it.each<[string, Command, readonly string[], string]>([
    ['records without a name', 'records', [], 'give exactly one hostname or name'],
    ['records with two names', 'records', ['a', 'b'], 'give exactly one'],
    ['records with an empty name', 'records', [''], 'give exactly one'],
    ['an option that does not exist', 'records', ['a', '--jsno'], "Unknown option '--jsno'"],
    ['a flag with a value', 'records', ['a', '--json=yes'], '--json'],
    ['a namespace that was forgotten', 'records', ['a', '-n'], '-n'],
    ['list with a name', 'list', ['www.example.com'], 'options only'],
    ['probe without an address', 'probe', [], '--address takes an IPv4 or IPv6 address'],
    ['probe of a name', 'probe', ['--address=edge.example.net'], '--address takes an IPv4 or IPv6 address'],
    ['probe of no port', 'probe', ['--address=192.0.2.1', '--port=0'], '--port takes a number'],
    ['probe with a hostname', 'probe', ['www.example.com', '--address=192.0.2.1'], 'options only'],
    ['migrate without a class', 'migrate', [], '--to takes the name of a routing class'],
    ['migrate to where it comes from', 'migrate', ['--to=a', '--from=a'], 'the same class'],
    ['migrate with a name', 'migrate', ['shop', '--to=a'], 'options only'],
    ['verify with a wait that is no duration', 'verify', ['a', '--wait=soon'], "--wait: 'soon' is not a duration"],
    ['verify with a wait without a unit', 'verify', ['a', '--wait=60'], "--wait: '60' is not a duration"],
    ['verify with a number behind --wait', 'verify', ['--wait', '60', 'a'], "--wait: '60' is not a duration"],
    ['verify with a wait beyond a day', 'verify', ['--wait', '25h', 'a'], 'at most 24h'],
    ['verify with a wait and without a name', 'verify', ['--wait', '5m'], 'give exactly one'],
    ['wait without a state', 'wait', ['a'], '--for is missing'],
    ['wait for a state that does not exist', 'wait', ['a', '--for=Alive'], "no state 'Alive'; there are Pending"],
    ['wait with a timeout beyond a day', 'wait', ['a', '--for=Live', '--timeout=25h'], 'at most 24h'],
    ['keys without a verb', 'keys', [], 'create, list, delete'],
    ['keys with another verb', 'keys', ['rotate'], 'create, list, delete'],
    ['keys with a verb that every object has', 'keys', ['toString'], 'create, list, delete'],
    ['keys create without an account', 'keys', ['create'], '--account is missing'],
    ['keys create with an unknown scope', 'keys', ['create', '--account=a', '--scopes=admin'], "no scope 'admin'"],
    ['keys create with no time', 'keys', ['create', '--account=a', '--expires=tomorrow'], 'tomorrow is not a time'],
    ['keys create with a date only', 'keys', ['create', '--account=a', '--expires=2999-01-01'], 'is not a time'],
    ['keys create in the past', 'keys', ['create', '--account=a', '--expires=2020-01-01T00:00:00Z'], 'in the past'],
    ['keys create with no name', 'keys', ['create', '--account=a', '--display-name= '], 'visible characters'],
    ['keys create with a long name', 'keys', ['create', '--account=a', `--display-name=${'x'.repeat(65)}`], '1 to 64'],
    ['keys delete without a name', 'keys', ['delete'], "give exactly one key's name or id"],
  ])('%s', async (_, command, args, sentence) => {
    const refused = commands[command](args);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(sentence);
  });

  it.each([
    ['a key with a typo', ['delete', 'pd_0123456789abcdef_secretsecretsecret']],
    ['a key too many', ['delete', 'x', 'pd_0123456789abcdef_secretsecretsecret']],
    ['a key instead of a verb', ['pd_0123456789abcdef_secretsecretsecret']],
  ])('%s is not repeated', async (_, args) => {
    await expect(keys(args)).rejects.toThrow(UsageError);
    await expect(keys(args)).rejects.not.toThrow('secret');
  });
});

describe('verify takes its name and how long to wait', () => {
  it.each<[string, readonly string[]]>([
    ['the duration behind --wait', ['--wait', '5m', 'a']],
    ['the duration at the end', ['a', '--wait', '5m']],
    ['the duration after an equals sign', ['--wait=5m', 'a']],
    ['no duration, and the name behind --wait', ['--wait', 'a']],
    ['no duration, and --wait at the end', ['a', '--wait']],
  ])('%s', async (_, args) => {
    const refused = verify([...args, '--kubeconfig=/nowhere/kubeconfig']);
    await expect(refused).rejects.not.toThrow(UsageError);
    await expect(refused).rejects.toThrow('/nowhere/kubeconfig');
  });
});

describe('a duration', () => {
  it.each([
    ['60s', 60_000, '1m'],
    ['5m', 300_000, '5m'],
    ['1h30m', 5_400_000, '1h30m'],
    ['90s', 90_000, '1m30s'],
    ['0s', 0, '0s'],
    ['24h', 86_400_000, '24h'],
  ])('%s is %d ms, shown as %s', (text, ms, shown) => {
    expect(durationOf('--wait', text)).toBe(ms);
    expect(printDuration(ms)).toBe(shown);
  });

  it.each(['', '5', 'm', '-5s', '5s5m', '1.5h', '5 m', '1d'])('%p is none', (text) => {
    expect(() => durationOf('--wait', text)).toThrow('is not a duration');
  });
});

describe('a state that is waited for', () => {
  it.each([
    ['Live', 'Live', true],
    ['Live', 'Degraded', false],
    ['Live', undefined, false],
    ['Verified', 'Verified', true],
    ['Verified', 'Live', true],
    ['Verified', 'Degraded', true],
    ['Verified', 'Suspended', false],
    ['Verified', 'Unverified', false],
    ['Unverified', 'Verified', false],
  ] as const)('%s, and it is %s: %p', (wanted, state, reached) => {
    expect(isIn(wanted, state)).toBe(reached);
  });
});
