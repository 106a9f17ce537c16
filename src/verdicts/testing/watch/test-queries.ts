import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeFolder } from '../../../core/package-root.ts'
import { printable } from '../../../core/printable.ts'
import type { MonitoredCommand } from '../../../load/engines/watch-commands.ts'
import type { QueryPlan } from '../../../load/measure/query-plan.ts'
import { readableNumber } from '../../../metrics/format.ts'
import { type WatchLimits, isAllowed } from './options.ts'

/** Frames to look at: those of a driver and of mongoose come first. */
const maxFrames = 60

/**
 * Lists the lines of the current stack that belong to the application, beyond all awaits. Drivers before 6.0 lose them where they wait.
 * @param below Only what has called this function.
 */
export function readApplicationStack(below: (...args: never[]) => unknown): readonly string[] {
  const { stackTraceLimit } = Error
  const holder: { stack?: unknown } = {}
  Error.stackTraceLimit = maxFrames
  Error.captureStackTrace(holder, below)
  Error.stackTraceLimit = stackTraceLimit
  return listApplicationLines(String(holder.stack))
}

/** A line of a stack: a name that may be missing, a file, and a place in it. */
const frame = /^\s*at (?:async )?(?:(?<name>.+) \()?(?<file>(?:file:\/\/|\/|[A-Za-z]:\\).*?)(?<place>:\d+:\d+)\)?$/

/** Lines of packages, of Node.js and of mongo-perf are not those of the application. */
export const listApplicationLines = (stack: string, own = codeFolder): readonly string[] =>
  stack.split('\n').filter((line) => {
    const file = toPath(frame.exec(line)?.groups?.['file'])
    return file !== undefined && !/[\\/]node_modules[\\/]/.test(file) && !file.startsWith(own + path.sep)
  })

const toPath = (file: string | undefined): string | undefined =>
  file?.startsWith('file://') === true ? fileURLToPath(file) : file

/** A line of a stack for a message: "loadOrders (src/orders.ts:12:20)". @param folder That files are shown from. */
export function shortenLine(line: string, folder = process.cwd()): string {
  const { name, file, place } = frame.exec(line)?.groups ?? {}
  const at = `${path.relative(folder, toPath(file) ?? '')}${place}`
  return name === undefined ? at : `${name} (${at})`
}

/** Queries of one shape, over all tests of the process. */
export type WatchedShape = {
  /** The name in messages and in `allow`: "find orders customer". */
  readonly name: string
  /** Whether it has a filter: without one, an index may be of no use. */
  readonly isFiltered: boolean
  /** Lines of the application that sent the first one. */
  readonly stack: readonly string[]
  queries: number
  tests: number
  /** Documents examined, by the plan in each test. */
  examined: number
  /** The newest plan. Undefined: it was not asked for. */
  plan: QueryPlan | undefined
}

/** Queries of one shape in a test. */
export type SentQueries = {
  readonly shape: WatchedShape
  readonly limits: WatchLimits
  /** The first of them. */
  readonly first: MonitoredCommand
  count: number
  /** Lines of the application that sent the first one beyond the limit. */
  stack: readonly string[]
}

/** A query that breaks a limit: in words, and the lines of the application that sent it. */
type Finding = { readonly shape: string; readonly text: string; readonly stack: readonly string[] }

/** Lists what breaks a limit in a test. */
const listFindings = (sent: readonly SentQueries[], test: string): readonly Finding[] =>
  sent.flatMap((queries) => {
    const { shape, limits, count, stack } = queries
    if (limits.report || isAllowed(limits, shape.name, test)) return []
    const repeated = `${shape.name} was sent ${readableNumber(count)} times in one test; the limit is ${readableNumber(limits.repeats)}.`
    const scanned = scansBeyond(shape, limits.scans)
    return [
      ...(count > limits.repeats ? [{ shape: shape.name, text: repeated, stack }] : []),
      ...(scanned ? [{ shape: shape.name, text: scanText(shape, limits.scans), stack: shape.stack }] : []),
    ]
  })

/** Reading a collection without a filter needs no index, unless documents are sorted, joined or chosen later. */
const helpsIndex = /SORT|\$(?!group|count|cursor)/

function scansBeyond({ plan, isFiltered }: WatchedShape, scans: number): boolean {
  if (plan?.scansCollection !== true || typeof plan.figures === 'string') return false
  return plan.figures.docsExamined > scans && (isFiltered || helpsIndex.test(plan.text))
}

const scanText = ({ name, plan }: WatchedShape, scans: number): string =>
  `${name} examined ${readableNumber(examinedBy(plan))} documents without an index (${plan?.text}); the limit is ${readableNumber(scans)}.`

/** Documents that a query examines. 0: not known. */
export const examinedBy = (plan: QueryPlan | undefined): number =>
  typeof plan?.figures === 'object' ? plan.figures.docsExamined : 0

/** The error of a test that breaks limits, with the stack of the application. Undefined: it breaks none. */
export function findFault(sent: readonly SentQueries[], test: string): Error | undefined {
  const findings = listFindings(sent, test)
  const [first] = findings
  if (first === undefined) return undefined
  const lines = findings.map(
    ({ text, stack: [line] }) => `${text} ${line === undefined ? unknownLine : `Sent by ${shortenLine(line)}.`}`,
  )
  const hint = `To exempt it, give watchQueries allow: [{ shape: ${JSON.stringify(first.shape)} }].`
  const error = new Error(printable([...lines, hint].join('\n')))
  error.name = 'QueryLimitError'
  error.stack = [`${error.name}: ${error.message}`, ...first.stack].join('\n')
  return error
}

const unknownLine = 'The line that sent it is not known: drivers before 6.0 and callbacks hide it.'
