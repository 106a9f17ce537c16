const pending = new Set<() => Promise<void>>()

/** Work that a process does before it ends in a hurry, such as taking back a change of a server. */
export const doBeforeExit = (work: () => Promise<void>): void => void pending.add(work)

/** Does all of that work; a failure of it is not reported. */
export const finishBeforeExit = async (): Promise<void> =>
  void (await Promise.allSettled([...pending].map(async (work) => work())))
