import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import path from 'node:path'
import { systemClock } from '../../../../core/clock.ts'
import { Problem } from '../../../../core/errors.ts'
import { shellLine, shellWord } from '../shell-line.ts'
import { type GroupPlan, type Setting } from './settings.ts'

/** Groups that one server is started in. */
export type Groups = {
  readonly folders: readonly string[]
  /** The same groups made by hand. */
  readonly commands: readonly string[]
}

/** The names of all groups that we make, so that no other is ever removed, whatever a state file contains. */
const managedName = /^mongo-perf-\d+-\d+$/

/** Synchronous, so that between the making of a group and its entry in the state only the kernel can end us. */
export function makeGroups(plans: readonly GroupPlan[], port: number): Groups {
  const folders: string[] = []
  const commands: string[] = []
  try {
    for (const plan of plans) {
      const folder = toGroupFolder(plan, port)
      mkdirSync(folder, { recursive: true })
      folders.push(folder)
      commands.push(...fillGroup(folder, plan.settings))
    }
  } catch (error) {
    for (const folder of folders) rmdirSync(folder)
    throw refused(error)
  }
  return { folders, commands }
}

/**
 * Puts other settings in the place of those that groups of ours have, while their server runs.
 * @param plans With the parents that the groups were made in.
 * @returns the groups as if they had been made so.
 */
export function changeGroups(plans: readonly GroupPlan[], port: number): Groups {
  const folders = plans.map((plan) => toGroupFolder(plan, port))
  try {
    for (const folder of folders) for (const limit of limitsIn(folder)) limit.lift()
    return { folders, commands: plans.flatMap((plan) => fillGroup(toGroupFolder(plan, port), plan.settings)) }
  } catch (error) {
    throw refused(error)
  }
}

const toGroupFolder = ({ parent }: GroupPlan, port: number): string =>
  path.join(parent, `mongo-perf-${process.pid}-${port}`)

/** @returns how the group is made and filled by hand. */
function fillGroup(folder: string, settings: readonly Setting[]): readonly string[] {
  const commands = [shellLine(['mkdir', '-p', folder])]
  for (const { file, value, ifThere } of settings) {
    const target = path.join(folder, file)
    if (ifThere && !existsSync(target)) continue
    writeFileSync(target, value)
    commands.push(`${shellLine(['echo', value])} > ${shellWord(target)}`)
  }
  return commands
}

function refused(error: unknown): Problem {
  const { message } = error as NodeJS.ErrnoException
  return new Problem('not-measurable-here', `The kernel refused the limits of a server: ${message}`, {
    hint: 'Take the limit that the file is named after out of the spec.',
  })
}

/**
 * A command that begins inside of the groups: whatever the program makes, threads and page cache, is made there.
 * The shell becomes the program, so the process that is started stays the same.
 */
export function startedIn(folders: readonly string[], command: readonly string[]): readonly string[] {
  if (folders.length === 0) return command
  const enter = folders.map((folder) => `echo $$ > ${shellWord(path.join(folder, 'cgroup.procs'))}`)
  return ['sh', '-c', [...enter, 'exec "$@"'].join(' && '), 'sh', ...command]
}

/** Values that take a limit off again, by the file that holds it. A disk's limits stand there by device, one a line. */
const lifting: Readonly<Record<string, (value: string) => readonly string[]>> = {
  'cpu.cfs_quota_us': () => ['-1'],
  'cpu.max': () => ['max'],
  'blkio.throttle.read_iops_device': eachDevice('0'),
  'blkio.throttle.write_iops_device': eachDevice('0'),
  'blkio.throttle.read_bps_device': eachDevice('0'),
  'blkio.throttle.write_bps_device': eachDevice('0'),
  'io.max': eachDevice('rbps=max wbps=max riops=max wiops=max'),
}

function eachDevice(unlimited: string): (value: string) => readonly string[] {
  return (value) =>
    value
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `${line.split(' ')[0]} ${unlimited}`)
}

/** Lets a server end in its own time: a disk of 1 MB/s could hold it for minutes, and no signal reaches it there. */
export function liftLimits(folders: readonly string[]): void {
  for (const { lift } of managedOnly(folders).flatMap(limitsIn)) {
    try {
      lift()
    } catch {
      // The server takes longer to end then.
      continue
    }
  }
}

/** Each group has only the files of its controllers. */
const limitsIn = (folder: string): readonly { readonly lift: () => void }[] =>
  Object.entries(lifting)
    .map(([file, lifted]) => ({ target: path.join(folder, file), lifted }))
    .filter(({ target }) => existsSync(target))
    .map(({ target, lifted }) => ({
      lift() {
        for (const line of lifted(readFileSync(target, 'utf8'))) writeFileSync(target, line)
      },
    }))

const managedOnly = (folders: readonly string[]): readonly string[] =>
  folders.filter((folder) => managedName.test(path.basename(folder)))

/** Threads of a process that was killed end one by one, on a busy machine long after it counts as gone. */
const timeoutMs = 10_000
const pollMs = 20

/**
 * Removes groups of ours whose processes have ended. The kernel keeps those that hold any.
 * @returns those that are still there.
 */
export async function removeGroups(folders: readonly string[]): Promise<readonly string[]> {
  const managed = managedOnly(folders)
  const gone = await Promise.all(managed.map(removeGroup))
  return managed.filter((_, index) => !gone[index])
}

/** The end of a process and the end of its stay in a group are not one moment. */
async function removeGroup(folder: string): Promise<boolean> {
  const started = systemClock.now()
  for (;;) {
    const code = await rmdir(folder).then(
      () => 'ENOENT',
      (error: NodeJS.ErrnoException) => error.code,
    )
    if (code === 'ENOENT') return true
    if (code !== 'EBUSY' || systemClock.now() - started > timeoutMs) return false
    await systemClock.sleep(pollMs)
  }
}
