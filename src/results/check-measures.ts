/** What a check counts, as columns and pages show it. */
export type CheckMeasure = {
  /** Heading of a column. */
  readonly title: string
  /** One sentence. */
  readonly meaning: string
  /** Which of several runs of a row is shown: for what should not be there, the worst. */
  readonly ofRuns: 'median' | 'most' | 'least'
}

/** So that a run that found something is not hidden by others that did not. */
const bad = { ofRuns: 'most' } as const
const plain = { ofRuns: 'median' } as const

/** The figures of every kind of check: its columns, threshold addresses and page are made from them. */
export const checkMeasures = {
  sumUnchanged: {
    documents: { ...plain, title: 'Documents', meaning: 'Documents when the check began.' },
    expected: { ...plain, title: 'Total', meaning: 'The sum when the check began.' },
    reads: { ...plain, title: 'Reads', meaning: 'Times that the whole collection was read, the last one at the end.' },
    failedReads: { ...bad, title: 'Failed Reads', meaning: 'Reads during the phase that the server did not answer.' },
    wrongReads: {
      ...bad,
      title: 'Wrong Reads',
      meaning:
        'Reads with another sum, another number of documents, a value below the minimum or one that is no number.',
    },
    lowest: { title: 'Lowest Total', meaning: 'The lowest sum that was read.', ofRuns: 'least' },
    highest: { ...bad, title: 'Highest Total', meaning: 'The highest sum that was read.' },
    leastValue: { title: 'Least Value', meaning: 'The least single value that was read.', ofRuns: 'least' },
    missing: { ...bad, title: 'Missing', meaning: 'Documents of the beginning that were not there at the end.' },
    foreign: { ...bad, title: 'Foreign', meaning: 'Documents at the end that were not there at the beginning.' },
  },
  journalMatches: {
    entries: { ...plain, title: 'Entries', meaning: 'Entries that the journal gained.' },
    acknowledged: { ...plain, title: 'Acknowledged', meaning: 'Entries that were acknowledged.' },
    missing: { ...bad, title: 'Missing', meaning: 'Entries that were acknowledged and are not there.' },
    appliedTwice: { ...bad, title: 'Applied Twice', meaning: 'Ids that several entries have.' },
    unknown: { ...plain, title: 'Unknown', meaning: 'Entries whose fate the client was not told.' },
    unknownButApplied: { ...plain, title: 'Unknown but Applied', meaning: 'Those of them that are there.' },
    failed: { ...plain, title: 'Failed', meaning: 'Entries that were refused, or whose transaction was given up.' },
    failedButApplied: { ...bad, title: 'Failed but Applied', meaning: 'Those of them that are there all the same.' },
    foreign: { ...bad, title: 'Foreign', meaning: 'Entries that are there and that the operation never sent.' },
    balances: { ...plain, title: 'Balances', meaning: 'Balances that were compared.' },
    wrongBalances: {
      ...bad,
      title: 'Wrong Balances',
      meaning:
        'Balances that are not what they were at the beginning with the entries of the journal applied, or that are gone or new.',
    },
  },
  acknowledgedWritesSurvive: {
    acknowledged: { ...plain, title: 'Acknowledged', meaning: 'Documents whose insert was acknowledged.' },
    lost: { ...bad, title: 'Lost', meaning: 'Documents that were acknowledged and are not there.' },
    unknown: { ...plain, title: 'Unknown', meaning: 'Documents whose fate the client was not told.' },
    unknownButPresent: { ...plain, title: 'Unknown but Present', meaning: 'Those of them that are there.' },
    failed: { ...plain, title: 'Failed', meaning: 'Documents whose insert was refused.' },
    failedButPresent: { ...bad, title: 'Failed but Present', meaning: 'Those of them that are there all the same.' },
    duplicated: { ...bad, title: 'Duplicated', meaning: 'Ids that several documents have (on several shards).' },
  },
  countMatches: {
    counted: { ...plain, title: 'Documents', meaning: 'Documents at the end.' },
    expectedLeast: {
      ...plain,
      title: 'Expected at Least',
      meaning: 'Documents that there must be, where no call of unknown outcome has added any.',
    },
    expectedMost: {
      ...plain,
      title: 'Expected at Most',
      meaning: 'Documents that there may be, where all calls of unknown outcome have added theirs.',
    },
  },
  query: {
    documents: { ...plain, title: 'Documents', meaning: 'Documents that the pipeline gave.' },
    expected: { ...plain, title: 'Expected', meaning: 'Documents that it should give.' },
    differences: { ...bad, title: 'Differences', meaning: 'Positions at which what came is not what was expected.' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, CheckMeasure>>>>

export type CheckKind = keyof typeof checkMeasures

/** The names of what a check of some kind counts. */
export type MeasureOf<Kind extends CheckKind> = keyof (typeof checkMeasures)[Kind] & string

/** Empty for a kind that is not known, as in the result of a newer version. */
export const measuresOf = (kind: string): Readonly<Record<string, CheckMeasure>> =>
  Object.hasOwn(checkMeasures, kind) ? checkMeasures[kind as CheckKind] : {}
