import { parseArgs } from 'node:util';
import type { Endpoint } from '../../dns/lookup/dns-endpoint.ts';
import { parseEndpoint, rootServers } from '../../dns/lookup/dns-endpoint.ts';
import { hostnameMeant, parseHostname } from '../../rules/hostname.ts';
import { challengeName } from '../../rules/desired-records.ts';
import { caaProfileOf } from '../../dns/verdict/caa-profile.ts';
import type { DesiredDns } from '../../dns/verdict/dns-verdict.ts';
import { UsageError } from '../usage-errors.ts';
import { messageOf } from '../../lib/error-serializer.ts';

export const checkUsage = `usage: projectdomain check <hostname> --target T [options]

Checks DNS as the operator does and says what is right, what is wrong, and what to change.

  --target T              the project's CNAME target, as shown in status.records
  --txt VALUE             the exact ownership TXT value that is expected
  --roots ADDR[:PORT]     root server at which resolution starts; its port is used for every server
  --resolver ADDR[:PORT]  a recursive resolver to fall back on; may be repeated
  --platform-address IP   an address of the platform's ingress; may be repeated
  --ca DOMAIN             check CAA for this issuer domain; may be repeated
  --account-uri U         the ACME account that will order (RFC 8657)
  --method M              the validation method that will be used, such as http-01 (RFC 8657)
  --json                  one JSON object instead of text

exit status: 0 verified, 1 not, 2 unknown, 3 wrong usage`;

export interface CheckArguments {
  readonly wanted: DesiredDns;
  readonly roots: readonly Endpoint[];
  readonly resolvers: readonly Endpoint[];
  readonly permitted: readonly string[];
  readonly json: boolean;
}

const many = { type: 'string', multiple: true } as const;
const one = { type: 'string' } as const;

/** Reads the command line of `check`. Throws UsageError with a sentence that says what is wrong. */
export function checkArguments(args: readonly string[]): CheckArguments {
  const { values, positionals } = parse(args);
  const [name, ...rest] = positionals;
  if (name === undefined || rest.length > 0) throw new UsageError('give exactly one hostname');
  if (values.target === undefined) throw new UsageError('--target is missing');
  const hostname = hostnameOf(name);
  const target = hostnameOf(values.target);
  const roots = values.roots === undefined ? rootServers.map(parseEndpoint) : [endpoint('--roots', values.roots)];
  const cnameDomain = target.slice(target.indexOf('.') + 1);
  return {
    wanted: {
      hostname,
      target,
      cnameDomain,
      platformDomains: [cnameDomain],
      platformAddresses: values['platform-address'] ?? [],
      txt: txtOf(hostname, values.txt),
      txtRequired: false,
      ca: caOf(values),
    },
    roots,
    resolvers: (values.resolver ?? []).map((text) => endpoint('--resolver', text)),
    permitted: roots.some(({ address }) => address.startsWith('127.')) ? ['127.0.0.0/8'] : [],
    json: values.json ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        target: one,
        txt: one,
        roots: one,
        resolver: many,
        'platform-address': many,
        ca: many,
        'account-uri': one,
        method: one,
        json: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

function txtOf(hostname: string, value: string | undefined): DesiredDns['txt'] {
  if (value === undefined) return null;
  const name = challengeName(hostname);
  if (name === null) throw new UsageError(`--txt: ${hostname} is so long that no ownership record fits below it`);
  return { name, value };
}

function caOf(values: ReturnType<typeof parse>['values']): DesiredDns['ca'] {
  if (values.ca) {
    const { ca: domains, 'account-uri': accountUri = null, method = null } = values;
    return { domains, accountUri, method, caaProfile: caaProfileOf(domains) };
  }
  if (values['account-uri'] ?? values.method) throw new UsageError('--account-uri and --method need --ca');
  return null;
}

function hostnameOf(text: string): string {
  const parsed = parseHostname(hostnameMeant(text));
  if (!parsed.ok) throw new UsageError(`${text}: ${parsed.message}`);
  return parsed.hostname;
}

function endpoint(option: string, text: string): Endpoint {
  try {
    return parseEndpoint(text);
  } catch (error) {
    throw new UsageError(`${option}: ${messageOf(error)}`);
  }
}
