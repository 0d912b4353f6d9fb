/** The longest time, milliseconds, between two turns of this thread's event loop while `act` went on. */
export async function longestTurn(act: () => Promise<unknown>): Promise<number> {
  let [longest, last, isOver] = [0, performance.now(), false];
  const turned = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const turn = () => {
    turned();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await act();
  isOver = true;
  await new Promise((done) => setImmediate(done));
  turned();
  return longest;
}
