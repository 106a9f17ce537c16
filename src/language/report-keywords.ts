/** Keywords that look at what was measured: they stand in `value`, `where` and `let` of the report, and nowhere else. */
export const reportKeywords = [
  {
    keyword: '@metric',
    summary:
      'What was measured in this row, by its address; {of, at} reads the row that differs in the parameters of `at` alone.',
  },
  {
    keyword: '@ratio',
    summary:
      '{of, at, to, noun}: in `let`, the value of the row of `at` divided by that of the row of `to`, paired by round, with its 95 % interval and a verdict that all ratios of the report get together. `noun` is what texts call the metric, such as "queries per second".',
  },
  {
    keyword: '@cluster',
    summary:
      '{of, names}: the name of the group that this row is in, when the rows are sorted by `of` and cut where neighbours are furthest apart in ratio. Names begin with the smallest values.',
  },
] as const

/** A keyword that works only in the report. */
export type ReportKeyword = (typeof reportKeywords)[number]['keyword']

const known: ReadonlySet<string> = new Set(reportKeywords.map(({ keyword }) => keyword))

/** Whether a keyword works only in the report. */
export const isReportKeyword = (keyword: string): keyword is ReportKeyword => known.has(keyword)
