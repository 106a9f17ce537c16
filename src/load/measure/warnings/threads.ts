import { figure, share, type WarningRule, wording } from './warning.ts'

/** Threads may end so far apart, as a share of the window. */
const maxApart = 0.05

export const ofThreads: readonly WarningRule[] = [
  {
    code: 'threads-apart',
    finds({ client: { threads }, wallSeconds }) {
      const ends = threads.flatMap(({ endedAtSeconds }) => endedAtSeconds ?? [])
      const [first, last] = [Math.min(...ends), Math.max(...ends)]
      if (ends.length < 2 || last - first <= maxApart * wallSeconds) return undefined
      return wording`The threads ended ${share((last - first) / wallSeconds)} of the window apart: the first after ${figure(first, 's', 1)}, the last after ${figure(last, 's', 1)}`
    },
    advice:
      'Each thread makes a fixed share of the operations, and the slowest sets the end: throughput is a lower bound. Use a number of workers that the number of threads divides, fewer threads, or end the phase after seconds.',
  },
  {
    code: 'row-gaps',
    finds: ({ rowGaps }) =>
      rowGaps > 0
        ? wording`${figure(rowGaps)} ${rowGaps === 1 ? 'row number was' : 'row numbers were'} left out, because threads ended at different operations`
        : undefined,
    advice:
      'Later phases that pick such a row find nothing. End the phase after operations or documents instead of seconds, or use one thread.',
  },
  {
    code: 'latest-by-thread',
    finds: ({ latestByThread }) =>
      latestByThread
        ? '"latest", or another distribution that follows inserts, picked among the inserts of one thread: a thread does not know the inserts of others'
        : undefined,
    advice: 'Use one thread if the newest documents of all threads matter.',
  },
]
