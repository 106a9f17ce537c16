import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Problem } from '../../../core/errors.ts'
import { type Launch } from './launch-program.ts'
import { fullDisk, hintOfLog, lastLogLines, readTail } from './log-lines.ts'
import { type ServerProgram } from './programs/check-binary.ts'
import { type ProcessFolders } from './server-folders.ts'

/** Notices when a process of ours ends that neither we nor a fault have ended. */
export type LossWatch = {
  /** Aborts then; its reason is a `Problem`. */
  readonly lost: AbortSignal
  /** @param isMeant Whether this process has been asked to end, or brought to its end by a fault. */
  readonly watch: (launch: Launch, isMeant: () => boolean) => void
}

type Lost = { readonly program: ServerProgram; readonly name: string }

/** Creates a watch that aborts `lost` when a server process ends unexpectedly. */
export function createLossWatch(server: Lost, folders: Pick<ProcessFolders, 'log' | 'output'>): LossWatch {
  const lost = new AbortController()
  return {
    lost: lost.signal,
    watch(launch, isMeant) {
      void launch.ended.then(() => {
        if (!isMeant()) lost.abort(describeLoss(server, launch, folders))
      })
    },
  }
}

function describeLoss(
  { program, name }: Lost,
  { child }: Launch,
  { log, output }: Pick<ProcessFolders, 'log' | 'output'>,
): Problem {
  const lines = lastLogLines(readTail(log), readTail(output))
  const how = howItEnded(child)
  const last = lines.length > 0 ? `. The last lines of its log: ${lines.join('; ')}` : '. Its log is empty'
  return new Problem('no-server', `The ${program} of ${name} exited during the run (${how})${last}`, {
    hint: `${isFull(dirname(log)) ? fullDisk : (hintOfLog(lines) ?? hints[how] ?? otherHint)} --resume keeps the finished rows and runs the others, this one too.`,
  })
}

/** Returns the signal or the exit code that a process ended with, as text. */
export const howItEnded = ({ signalCode, exitCode }: Pick<Launch['child'], 'signalCode' | 'exitCode'>): string =>
  signalCode ?? `exit code ${exitCode}`

const otherHint = 'Find out what ended it.'

/** Less than WiredTiger adds to a file at a time. */
const fullBytes = 16 * 1024 ** 2

/** It is where its data is. */
function isFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < fullBytes
  } catch {
    return false
  }
}

const hints: Readonly<Record<string, string>> = {
  SIGKILL: 'Another process killed it, or the kernel did because memory ran out (see dmesg).',
  SIGABRT: 'This is a bug of the server: try another version, or change what the row asks for.',
  SIGSEGV: 'This is a bug of the server: try another version, or change what the row asks for.',
}
