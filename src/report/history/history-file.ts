import { appendFile, readFile } from 'node:fs/promises'
import { Problem } from '../../core/errors.ts'
import { type Json } from '../../core/json.ts'
import { findingText } from '../../language/issues.ts'
import { collectFindings } from '../../language/reasons.ts'
import { unwritable } from '../../results/files/results-file.ts'
import { type HistoryEntry, historyEntry } from './entry.ts'

export async function appendEntry(path: string, entry: HistoryEntry): Promise<void> {
  try {
    const before = await readFile(path, 'utf8').catch(unlessMissing)
    const separator = before === '' || before.endsWith('\n') ? '' : '\n'
    await appendFile(path, `${separator}${JSON.stringify(entry)}\n`)
  } catch (error) {
    throw unwritable(path, error)
  }
}

function unlessMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return ''
  throw error
}

export const readHistory = async (path: string): Promise<readonly HistoryEntry[]> =>
  parseHistory(path, await readFile(path, 'utf8'))

/**
 * The runs of a history by their dates: a merge may have brought them into another order, and one of them twice.
 * @throws {Problem} "result-unreadable" with all lines that are none.
 */
export function parseHistory(path: string, text: string): readonly HistoryEntry[] {
  const lines = text.split('\n').map((line, index) => ({ line: line.trim(), number: index + 1 }))
  const known = new Map<string, HistoryEntry>()
  const issues: string[] = []
  for (const { line, number } of lines) {
    if (line === '') continue
    const read = readLine(line)
    if ('entry' in read) known.set(line, read.entry)
    else issues.push(`${path}:${number}: ${read.reason}`)
  }
  if (issues.length > 0)
    throw new Problem('result-unreadable', issues.join('\n'), {
      hint: 'Each line is one run. Delete these lines, or restore the file from another commit.',
    })
  return [...known.values()].toSorted((a, b) => a.date.localeCompare(b.date))
}

function readLine(line: string): { readonly entry: HistoryEntry } | { readonly reason: string } {
  if (/^(<{7}|>{7}|={7}|\|{7})/.test(line)) return { reason: 'this is the mark of a merge conflict' }
  let value: Json
  try {
    value = JSON.parse(line) as Json
  } catch {
    return { reason: 'this is not JSON' }
  }
  const { findings } = collectFindings(historyEntry, value)
  const [finding] = findings
  if (finding === undefined) return { entry: historyEntry.parse(value) }
  return { reason: `${finding.path.join('.') || 'the line'}: ${findingText(finding)}` }
}
