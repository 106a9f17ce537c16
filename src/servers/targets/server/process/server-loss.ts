import { statfsSync, closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { Problem } from '../../../../core/errors.ts'
import { tempVariable } from '../../../machine.ts'
import { type ServerProgram } from '../programs/check-binary.ts'
import { type Launch } from './launch-program.ts'
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
    hint: `${isFull(dirname(log)) ? fullDisk : (hintOfLog(lines) ?? hints.get(how) ?? otherHint)} --resume keeps the finished rows and runs the others, this one too.`,
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

const hints: ReadonlyMap<string, string> = new Map([
  [
    'SIGKILL',
    `Another process killed it, or the kernel did because memory ran out${process.platform === 'linux' ? ' (see dmesg)' : ''}.`,
  ],
  ['SIGABRT', 'This is a bug of the server: try another version, or change what the row asks for.'],
  ['SIGSEGV', 'This is a bug of the server: try another version, or change what the row asks for.'],
])

/** The hint for a disk without space. */
const fullDisk = `Its disk is full: free some space, or name another disk with "dbPath" (or with ${tempVariable()} for temporary folders).`

/** A line of a mongod log, as far as we need it. */
type LogLine = { readonly s?: unknown; readonly msg?: unknown; readonly attr?: Readonly<Record<string, unknown>> }

/** Why a mongod ended, in words: its first fatal message and the error before it, or its last errors; where it has none, the last lines of what it printed or logged. */
export function lastLogLines(log: string, output: string, count = 3): string[] {
  const entries = log.split('\n').flatMap((line) => parse(line) ?? [])
  const bad = entries.filter(({ s, msg }) => (s === 'E' || s === 'F') && msg !== 'Error collecting stack trace')
  const complaints = bad.map(logMessage)
  const firstFatal = bad.findIndex(({ s }) => s === 'F')
  const untilFatal = complaints.slice(0, firstFatal < 0 ? undefined : firstFatal + 1)
  const causes = untilFatal.filter((text) => !isEnd.test(text)).slice(firstFatal < 0 ? 0 : -2)
  const printed = output.split('\n').filter((line) => line.trim() !== '')
  const found = [causes, complaints, printed, entries.map(logMessage)].find((lines) => lines.length > 0) ?? []
  // Each step of a failed start repeats the message.
  return [...new Set(found)].slice(-count)
}

/** Lines that only say that it ends; the reason stands before them. */
const isEnd = /^\*{3}aborting after|^Writing fatal message: Got signal|WT_PANIC/

/** Behind the fatal message stands a stack of some 700 KB. */
const tailBytes = 4 * 1024 ** 2

const hintsByLog: readonly (readonly [RegExp, string])[] = [
  [
    /Too many open files/,
    'It needs two open files for each connection: raise the limit (ulimit -n), or use a smaller "pool" of the phase, or fewer workers.',
  ],
  [/No space left on device/, fullDisk],
  [
    /Fatal assertion 50853\b/,
    'WiredTiger, its storage engine, could not go on: the error before the assertion says why, or its data is damaged.',
  ],
  [
    /Fatal assertion 28595\b/,
    'WiredTiger, its storage engine, cannot open its data: it is damaged, or of another version.',
  ],
]

/** Returns the hint for the end that log lines report. Undefined: none is known. */
export const hintOfLog = (lines: readonly string[]): string | undefined =>
  hintsByLog.find(([pattern]) => lines.some((line) => pattern.test(line)))?.[1]

/** The end of a file, however long it has grown; '' where there is none. */
export function readTail(file: string): string {
  try {
    const descriptor = openSync(file, 'r')
    try {
      const start = Math.max(0, fstatSync(descriptor).size - tailBytes)
      const buffer = Buffer.alloc(tailBytes)
      return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, tailBytes, start))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return ''
  }
}

function parse(line: string): LogLine | undefined {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'object' && entry !== null ? entry : undefined
  } catch {
    return undefined
  }
}

function logMessage({ msg, attr = {} }: LogLine): string {
  if (msg === 'Fatal assertion') return `${msg} ${String(attr['msgid'])}${formatSourceLocation(attr)}`
  const [detail] = detailFields.flatMap((field) => textIn(attr[field]) ?? [])
  return onOneLine(detail === undefined ? String(msg) : `${String(msg)}: ${detail}${formatSourceLocation(attr)}`)
}

const detailFields = ['error', 'errmsg', 'message', 'msg', 'reason', 'expr'] as const

/** A number alone is no help: its meaning stands beside it. */
function textIn(detail: unknown): string | undefined {
  if (detail === undefined || typeof detail === 'number') return undefined
  if (typeof detail === 'string') return detail
  const parts = errorDocument.safeParse(detail).data
  const texts = [parts?.errmsg, parts?.msg, parts?.error_str].filter((text) => text !== undefined)
  return texts.length > 0 ? texts.join(': ') : JSON.stringify(detail)
}

/** Error document of the server, and of WiredTiger. */
const errorDocument = z.object({
  errmsg: z.string().optional(),
  msg: z.string().optional(),
  error_str: z.string().optional(),
})

/** Formats the place of an assertion in the source of the server. */
const formatSourceLocation = ({ file, line }: NonNullable<LogLine['attr']>): string =>
  file === undefined || line === undefined ? '' : ` (${String(file)}:${String(line)})`

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
