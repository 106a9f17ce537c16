import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printable } from '../../core/printable.ts'
import { formatSummary, type ShapeLine } from './watch/summary.ts'

/** Prints what someone should know although no expectation is missed. Test runners show it with the output of the tests. */
export const printNote = (text: string): void => void process.stderr.write(printable(`mongo-perf: ${text}\n`))

let annotateTest: (text: string) => Promise<void> = async () => {}

/** Has notes about a test shown with it, even if it passes: by the runner that this process is, where it can. */
export function annotateTestsBy(annotate: typeof annotateTest): void {
  annotateTest = annotate
}

/** Shows something with the test that is running. */
export const annotate = (text: string): Promise<void> => annotateTest(printable(text))

/** Names the file in which the processes of a suite gather what to print at its end. */
const variable = 'MONGO_PERF_AT_END'

/** For the end of a suite: an expectation that passed although nothing could be said about it, or queries of its tests. */
type AtEnd = { readonly undecided: string } | { readonly shape: ShapeLine }

let gathered: AtEnd[] = []
let isClosing = false

/** Keeps something for the end of the suite, or else of this process. */
export function addAtEnd(entry: AtEnd): void {
  const file = process.env[variable]
  if (file !== undefined) return appendFileSync(file, `${JSON.stringify(entry)}\n`)
  gathered.push(entry)
  if (!isClosing) process.once('exit', () => printAtEnd())
  isClosing = true
}

/** Prints what was gathered, where there is something to print. */
export function printAtEnd(print: (text: string) => void = printNote, found: readonly AtEnd[] = gathered): void {
  gathered = []
  const shapes = found.flatMap((entry) => ('shape' in entry ? entry.shape : []))
  if (shapes.length > 0) print(formatSummary(shapes))
  const undecided = found.flatMap((entry) => ('undecided' in entry ? entry.undecided : []))
  if (undecided.length === 0) return
  const count = undecided.length === 1 ? '1 expectation was' : `${undecided.length} expectations were`
  print(`${count} not decided, and passed: ${undecided.join(', ')}. MONGO_PERF_STRICT=1 counts that as missed.`)
}

/** Gathers the output of all processes of a suite, and prints it when this process ends. */
export function closeSuite(): void {
  const file = join(tmpdir(), `mongo-perf-at-end-${process.pid}`)
  writeFileSync(file, '')
  process.env[variable] = file
  process.once('exit', () => {
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
    printAtEnd(
      printNote,
      lines.map((line) => JSON.parse(line) as AtEnd),
    )
    rmSync(file)
  })
}
