import { TestEnvironment } from 'jest-environment-node';

/** Jest's own environment, in which the deadlines of tests and hooks are as patient as `eventually` (PROJECTDOMAIN_PATIENCE). */
export default class PatientEnvironment extends TestEnvironment {
  /** Once all tests are collected; each deadline is stretched once. */
  handleTestEvent(event, state) {
    if (event.name !== 'run_start') return;
    const patience = Number(process.env.PROJECTDOMAIN_PATIENCE ?? 1);
    state.testTimeout *= patience;
    stretch(state.rootDescribeBlock, patience);
  }
}

function stretch({ hooks, children }, patience) {
  for (const entry of [...hooks, ...children]) {
    if (entry.type === 'describeBlock') stretch(entry, patience);
    else if (entry.timeout !== undefined) entry.timeout *= patience;
  }
}
