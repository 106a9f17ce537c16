/** Runs actions, of which so many at most are under way at once; the others wait, in their order. */
export function inTurns(atOnce: number): <Value>(act: () => Promise<Value>) => Promise<Value> {
  const waiting: (() => void)[] = []
  let free = atOnce

  async function begin(): Promise<void> {
    if (free === 0) return await new Promise((resolve) => waiting.push(resolve))
    free -= 1
  }

  function end(): void {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }

  return async (act) => {
    await begin()
    try {
      return await act()
    } finally {
      end()
    }
  }
}
