import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { escapeText } from '../../report/markdown/escape.ts'
import { tableCsv } from '../../report/report.ts'
import { plainTable, type PlainColumn } from '../../report/tables/table.ts'
import { workingFolder } from '../../servers/machine.ts'
import { type LoadedSpec } from '../../spec/load-spec.ts'
import { type Printable } from './print-as.ts'

/** A problem or a note of `check`, and its place if it has one. */
export type CheckFinding = {
  readonly severity: 'error' | 'warning'
  readonly file: string | null
  readonly line: number | null
  readonly column: number | null
  readonly message: string
  readonly hint: string | null
}

const positioned = /^(?<file>.+?):(?<line>\d+)(?::(?<column>\d+))?: (?<message>.*)$/

/** Reads the lines that `check` prints for people and editors. Each text is what was printed at once; the hint of several messages only counts them. */
export const readFindings = (texts: readonly string[]): readonly CheckFinding[] =>
  texts.flatMap((text) => {
    const [said = '', ...hints] = text.trimEnd().split(/^hint: /m)
    const lines = said.trimEnd().split('\n')
    // A text without positions is one message, however many lines it has.
    const messages = lines.every((line) => positioned.test(line)) ? lines : [said.trimEnd()]
    const hint = messages.length === 1 ? hints.join(' ').trim() || null : null
    return messages.filter((message) => message !== '').map((message) => readFinding(message, hint))
  })

function readFinding(text: string, hint: string | null): CheckFinding {
  const { file = null, line, column, message = text } = positioned.exec(text)?.groups ?? {}
  const severity = file !== null || text.startsWith('error: ') ? 'error' : 'warning'
  const place = {
    file,
    line: line === undefined ? null : Number(line),
    column: column === undefined ? null : Number(column),
  }
  return { severity, ...place, message: message.replace(/^(?:error|warning): /, ''), hint }
}

/** Makes the findings and the valid specs printable. The text is the one of the lines themselves. */
export const printableFindings = (
  findings: readonly CheckFinding[],
  specs: readonly LoadedSpec[],
): Omit<Printable, 'text'> => ({
  md: () => [...findings.map(formatItem), ...specs.map(formatValid)].map((item) => `- ${item}\n`).join(''),
  github: () =>
    findings
      .map((one) => `${formatAnnotation({ ...one, file: one.file && (pathInRepository(one.file) ?? one.file) })}\n`)
      .join(''),
  csv: () => tableCsv(plainTable('Findings', columns, findings)),
  json: () => ({
    findings,
    specs: specs.map(({ file, title, rows, hash }) => ({ file, title, rows: rows.length, hash })),
  }),
})

const names = ['severity', 'file', 'line', 'column', 'message', 'hint'] as const
const columns: readonly PlainColumn<CheckFinding>[] = names.map((name) => ({
  title: name,
  cell: (finding) => finding[name],
}))

const formatPlace = ({ file, line, column }: CheckFinding): string =>
  [file, line, column].filter((part) => part !== null).join(':')
const formatItem = (finding: CheckFinding): string =>
  `${finding.file === null ? finding.severity : `\`${formatPlace(finding)}\``}: ${escapeText(finding.message)}${finding.hint === null ? '' : ` (${escapeText(finding.hint)})`}`
const formatValid = ({ file, title, rows }: LoadedSpec): string =>
  `\`${file}\`: ${escapeText(title)}; ${rows.length === 1 ? 'one row' : `${rows.length} rows`}`

/** Returns the path of a file from the root of its repository, or from the working folder where there is none. Null: it is not in it. */
export function pathInRepository(file: string, working = workingFolder()): string | null {
  const path = relative(findRepository(working), resolve(working, file))
  return path.startsWith('..') || isAbsolute(path) || path.includes('node_modules') ? null : path.split(sep).join('/')
}

const findRepository = (working: string, folder = working): string =>
  existsSync(join(folder, '.git'))
    ? folder
    : folder === dirname(folder)
      ? working
      : findRepository(working, dirname(folder))

/** Formats a command of GitHub's workflows, which shows the finding at its line. */
export function formatAnnotation({ severity, file, line, column, message, hint }: CheckFinding): string {
  const places = Object.entries({ file, line, col: column }).filter(([, value]) => value !== null)
  const properties = places.map(
    ([name, value]) => `${name}=${escapeData(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
  )
  return `::${[severity, properties.join(',')].join(' ').trim()}::${escapeData(hint === null ? message : `${message}\n${hint}`)}`
}

const escapeData = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
