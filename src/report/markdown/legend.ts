import { publishedDefinitions } from '../published/remarks.ts'

type Definition = {
  /** Occurs in the headings of tables that need it. */
  readonly usedIn: RegExp
  readonly text: string
}

/** What words in reports mean. A report or document defines each once, if it uses it. */
const definitions: readonly Definition[] = [
  {
    usedIn: /\bTrust \|/,
    text:
      'Trust, decided by the majority of the runs of a row: *comparable*: nothing known speaks against comparing the row; ' +
      '*lower bound*: the server could do more, because the client was the bottleneck (with the share of time that its event loop was busy); ' +
      '*do not compare*: the row does not show what it is meant to show. Remarks change nothing about it.',
  },
  {
    usedIn: /\bunchecked \(/,
    text: '*unchecked*: it is not known what other processes used of the machines; they may have slowed the row.',
  },
  {
    usedIn: /\bLimited by \|/,
    text:
      'Limited by: what kept throughput from being higher, in the majority of the runs of a row, with the figures of one of them. ' +
      '*not known*: none of the limits that mongo-perf looks for, or the runs disagree.',
  },
  {
    usedIn: /cells show .* together/,
    text:
      'Runs together: percentiles, means and extremes of times are those of the samples of all runs of a row, from merged histograms; ' +
      'other figures are the median of its runs, and errors the maximum.',
  },
  {
    usedIn: /\bmean of \d+ rounds\b/,
    text:
      'Mean of rounds: the geometric mean of the ratios of runs that were measured soon after each other, with its interval of 95 %. ' +
      'The ratio of two cells, which show runs together, may be another one.',
  },
  { usedIn: /\bPublished CPU \(/, text: publishedDefinitions },
  { usedIn: /\([KM]B\)|\b[KM]B\/s/, text: 'KB = 1024 B, MB = 1024 KB.' },
]

/** The definitions that a report or document needs, as a Markdown list. Empty if it needs none. */
export const legendOf = (text: string): string =>
  definitions.flatMap((definition) => (definition.usedIn.test(text) ? `- ${definition.text}` : [])).join('\n')
