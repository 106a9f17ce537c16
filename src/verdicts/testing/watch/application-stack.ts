import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeFolder } from '../../../core/package-root.ts'

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
