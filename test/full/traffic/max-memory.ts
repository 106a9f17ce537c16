import { type Workplace } from '../../contract/support/program.ts'

/**
 * Prints how much memory the process had at most, in kB. Linux hands the `maxRSS` of `process.resourceUsage()` on to
 * what a process starts, so that of a child is never below what the worker of the tests has.
 */
const showMemory = `data:text/javascript,${encodeURIComponent(
  `import { readFileSync } from 'node:fs'
  process.on('exit', () => process.stderr.write(/VmHWM.*/.exec(readFileSync('/proc/self/status', 'utf8'))[0]))`,
)}`

/** Runs the program. @returns its exit code, and the most memory that it had, in MB. */
export async function runAndMeasure(
  place: Workplace,
  args: readonly string[],
  nodeArgs: readonly string[] = [],
): Promise<{ readonly code: number | null; readonly maxMB: number; readonly stderr: string }> {
  const { code, stderr } = await place.start(args, {}, [...nodeArgs, '--import', showMemory]).ended
  return { code, maxMB: Number(/VmHWM:\s+(\d+) kB/.exec(stderr)?.[1]) / 1000, stderr }
}
