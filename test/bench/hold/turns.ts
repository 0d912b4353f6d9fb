/** Processor time of this thread, milliseconds. */
const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** The most processor time, milliseconds, that this thread took between two turns of its event loop while `act` went on. */
export async function longestTurn(act: () => Promise<unknown>): Promise<number> {
  let [longest, last, isOver] = [0, processorMs(), false];
  const turn = () => {
    const now = processorMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await act();
  isOver = true;
  await new Promise((done) => setImmediate(done));
  longest = Math.max(longest, processorMs() - last);
  return longest;
}
