import { runTool } from '../../child-process.ts'
import { coreListText, parseCoreList } from '../../machine.ts'
import { readProcFile } from '../../system.ts'
import { type StartContext } from '../target.ts'
import { type CoresField, type CoreDivision, divideCores } from './divide-cores.ts'

/**
 * The cores of a target on this machine, or the reason why it has none of its own. Undefined: client and servers share them on
 * purpose.
 * @param cpus Maximum CPU limit of its own servers.
 */
export async function coresFor(
  wanted: CoresField,
  cpus: number,
  { host, coreNeeds = { threads: 1, cpus } }: Pick<StartContext, 'host' | 'coreNeeds'>,
): Promise<CoreDivision | undefined> {
  if (wanted !== 'apart') return undefined
  const allowed = await readAllowedCores(host.root)
  if (allowed === undefined) return { reason: 'this system does not report which a process may use, as Linux does' }
  const division = divideCores(allowed, coreNeeds)
  if ('reason' in division) return division
  const obstacle = await whyNoTaskset(allowed)
  return obstacle === undefined ? division : { reason: obstacle }
}

/**
 * The cores that this process may use, in ascending order. Undefined where the system does not report them: it is not Linux.
 * @param root Where the file system of the machine begins.
 */
export async function readAllowedCores(root: string): Promise<readonly number[] | undefined> {
  const status = await readProcFile('self/status', root)
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1]
  return list === undefined ? undefined : parseCoreList(list)
}

const program = 'taskset'
const maxAttempts = 5

/** Why no process can be pinned with `taskset`. Undefined where it works, which is tried. */
export const whyNoTaskset = (cores: readonly number[]): Promise<string | undefined> =>
  runTool(program, ['-c', coreListText(cores), 'true']).then(
    () => undefined,
    () => `processes are pinned with ${program} of util-linux, which does not work here`,
  )

/** A command whose program runs on these cores alone. `taskset` becomes the program, so the process that is started stays the same. */
export const pinnedCommand = (cores: readonly number[] | undefined, command: readonly string[]): readonly string[] =>
  cores === undefined ? command : [program, '-c', coreListText(cores), ...command]

/** Pins a running process, with all of its threads and those that it makes from now on. */
export async function pinProcess(pid: number, cores: readonly number[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runTool(program, ['-apc', coreListText(cores), String(pid)])
    } catch (error) {
      // A thread that ends after the threads were listed makes it fail halfway.
      if (attempt === maxAttempts) throw error
    }
  }
}

/**
 * Does work with this process, and the threads that it starts, on the cores of the client, and puts back those that it had
 * before, however the work ends.
 * @param division Of the target. Where it has none, nothing is pinned.
 */
export async function onCoresOfClient<Value>(
  division: CoreDivision | undefined,
  work: () => Promise<Value>,
): Promise<Value> {
  const before = await readAllowedCores('/')
  if (division === undefined || 'reason' in division || before === undefined) return await work()
  try {
    await pinProcess(process.pid, division.client)
    return await work()
  } finally {
    await pinProcess(process.pid, before)
  }
}
