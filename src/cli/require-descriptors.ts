import { Problem } from '../core/errors.ts'

/** Node loads modules in parallel, and crashes or hangs with fewer. */
const minDescriptors = 256

/** Refuses to load the program with too low a limit of open files. @param have The limit. Undefined where the platform does not report it. */
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
