import type { Counts } from '../../dev/lib/jest-report.ts';

/** Of Envoy Gateway 1.9.1, validateListenerConditions in internal/gatewayapi/validate.go. Conflicts themselves are told as the tests want them. */
const onlyOfListenerSets =
  'it says Conflicted=False of listeners of ListenerSets, but not of those of the Gateway itself';

/** Tests that fail, and why that is no fault of this project. */
const exceptions: Readonly<Record<string, string>> = {
  ListenerSetHostnameConflict: onlyOfListenerSets,
  ListenerSetProtocolConflict: onlyOfListenerSets,
};

/**
 * Of what `go test -test.v` prints: upstream's tests, each below the one of the program. Those that fail as they are expected to count as skipped. A
 * run that did not end, or that failed beside its tests, is one more failure.
 */
export function upstreamCounts(output: string, expected = exceptions): Counts {
  const tests = [...output.matchAll(/^ {4}--- (PASS|FAIL|SKIP): GatewayAPI\/([^/\s]+) \(/gm)];
  const named = (result: string) => tests.filter(([, one]) => one === result).map(([, , name = '']) => name);
  const [, whole = 'no end'] = /^--- (PASS|FAIL): GatewayAPI \(/m.exec(output) ?? [];
  const isExplained = whole === 'PASS' || (whole === 'FAIL' && named('FAIL').length > 0);
  const failures = [
    ...named('FAIL').filter((name) => expected[name] === undefined),
    ...(isExplained && tests.length > 0 ? [] : ['the run as a whole']),
  ];
  const skipped = tests.length - named('PASS').length - named('FAIL').length;
  const excepted = named('FAIL').filter((name) => expected[name] !== undefined).length;
  const counts = { passed: named('PASS').length, failed: failures.length, skipped: skipped + excepted };
  return { ...counts, failures, failedFiles: [] };
}
