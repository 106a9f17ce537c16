import { Problem } from '../errors.ts'

/** Node reads the modules of a command side by side, and with fewer waits for ever. */
const minDescriptors = 256

/** @param have Files that this process may have open. Undefined: the platform does not report it. */
export function requireDescriptors(have: number | undefined): void {
  if (have === undefined || have >= minDescriptors) return
  throw new Problem(
    'not-measurable-here',
    `mongo-perf needs ${minDescriptors} open files, and this shell allows ${have}`,
    {
      hint: 'Raise the limit first: ulimit -n 16384',
    },
  )
}
