import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printable } from '../../core/printable.ts'

/** Prints what someone should know although no expectation is missed. Test runners show it with the output of the tests. */
export const printNote = (text: string): void => void process.stderr.write(printable(`mongo-perf: ${text}\n`))

/** Names the file in which the processes of a suite gather their undecided expectations. */
const variable = 'MONGO_PERF_UNDECIDED'

let undecided: string[] = []
let isClosing = false

/** Notes an expectation that passed although nothing could be said about it, for the closing line of its suite, or else of its process. */
export function addUndecided(text: string): void {
  const file = process.env[variable]
  if (file !== undefined) return appendFileSync(file, `${text}\n`)
  undecided.push(text)
  if (!isClosing) process.once('exit', () => printUndecided())
  isClosing = true
}

/** Prints the closing line, where there is something to print. */
export function printUndecided(print: (text: string) => void = printNote, found: readonly string[] = undecided): void {
  undecided = []
  if (found.length === 0) return
  const count = found.length === 1 ? '1 expectation was' : `${found.length} expectations were`
  print(`${count} not decided, and passed: ${found.join(', ')}. MONGO_PERF_STRICT=1 counts that as missed.`)
}

/** Gathers what is undecided in all processes of a suite, and prints it when this process ends. */
export function closeSuite(): void {
  const file = join(tmpdir(), `mongo-perf-undecided-${process.pid}`)
  writeFileSync(file, '')
  process.env[variable] = file
  process.once('exit', () => {
    printUndecided(printNote, readFileSync(file, 'utf8').split('\n').slice(0, -1))
    rmSync(file)
  })
}
