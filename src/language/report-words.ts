/** Words that look at what was measured: they stand in `value`, `where` and `let` of the report, and nowhere else. */
export const reportWords = [
  {
    word: '@metric',
    summary:
      'What was measured in this row, by its address; {of, at} reads the row that differs in the parameters of `at` alone.',
  },
  {
    word: '@cluster',
    summary:
      '{of, names}: the name of the group that this row is in, when the rows are sorted by `of` and cut where neighbours are furthest apart in ratio. Names begin with the smallest values.',
  },
] as const

export type ReportWord = (typeof reportWords)[number]['word']

const known: ReadonlySet<string> = new Set(reportWords.map(({ word }) => word))

export const isReportWord = (word: string): word is ReportWord => known.has(word)
