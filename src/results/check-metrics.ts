/** A figure of a check, as columns and reference pages show it. */
export type CheckMetric = {
  /** Heading of a column. */
  readonly title: string
  /** One sentence. */
  readonly meaning: string
  /** How the runs of a row are combined: the worst one for errors, so that other runs do not hide them. */
  readonly ofRuns: 'median' | 'max' | 'min'
}

const bad = { ofRuns: 'max' } as const
const plain = { ofRuns: 'median' } as const

/** The figures of every kind of check, from which its columns, threshold addresses and reference page are generated. */
export const checkMetrics = {
  sumUnchanged: {
    documents: { ...plain, title: 'Documents', meaning: 'Documents when the check began.' },
    expected: { ...plain, title: 'Total', meaning: 'The sum when the check began.' },
    reads: { ...plain, title: 'Reads', meaning: 'Reads of the whole collection, including the last one at the end.' },
    failedReads: { ...bad, title: 'Failed Reads', meaning: 'Reads during the phase that the server did not answer.' },
    wrongReads: {
      ...bad,
      title: 'Wrong Reads',
      meaning:
        'Reads with another sum, another number of documents, a value below the minimum or one that is not a number.',
    },
    lowest: { title: 'Lowest Total', meaning: 'The lowest sum that was read.', ofRuns: 'min' },
    highest: { ...bad, title: 'Highest Total', meaning: 'The highest sum that was read.' },
    leastValue: { title: 'Least Value', meaning: 'The smallest single value that was read.', ofRuns: 'min' },
    missing: { ...bad, title: 'Missing', meaning: 'Documents that existed at the beginning and not at the end.' },
    foreign: { ...bad, title: 'Foreign', meaning: 'Documents that existed at the end and not at the beginning.' },
  },
  journalMatches: {
    entries: { ...plain, title: 'Entries', meaning: 'Entries that were added to the journal.' },
    acknowledged: { ...plain, title: 'Acknowledged', meaning: 'Entries that were acknowledged.' },
    missing: { ...bad, title: 'Missing', meaning: 'Acknowledged entries that do not exist.' },
    appliedTwice: { ...bad, title: 'Applied Twice', meaning: 'Ids that occur more than once.' },
    unknown: { ...plain, title: 'Unknown', meaning: 'Entries whose outcome is unknown to the client.' },
    unknownButApplied: { ...plain, title: 'Unknown but Applied', meaning: 'Entries of unknown outcome that exist.' },
    failed: { ...plain, title: 'Failed', meaning: 'Entries that were rejected, or whose transaction was aborted.' },
    failedButApplied: { ...bad, title: 'Failed but Applied', meaning: 'Failed entries that exist nevertheless.' },
    foreign: { ...bad, title: 'Foreign', meaning: 'Existing entries that the operation never sent.' },
    balances: { ...plain, title: 'Balances', meaning: 'Balances that were compared.' },
    wrongBalances: {
      ...bad,
      title: 'Wrong Balances',
      meaning:
        'Balances that differ from the initial balance plus the entries of the journal, or that are missing or new.',
    },
  },
  acknowledgedWritesSurvive: {
    acknowledged: { ...plain, title: 'Acknowledged', meaning: 'Documents whose insert was acknowledged.' },
    lost: { ...bad, title: 'Lost', meaning: 'Acknowledged documents that do not exist.' },
    unknown: { ...plain, title: 'Unknown', meaning: 'Documents whose outcome is unknown to the client.' },
    unknownButPresent: { ...plain, title: 'Unknown but Present', meaning: 'Documents of unknown outcome that exist.' },
    failed: { ...plain, title: 'Failed', meaning: 'Documents whose insert was rejected.' },
    failedButPresent: { ...bad, title: 'Failed but Present', meaning: 'Rejected documents that exist nevertheless.' },
    duplicated: { ...bad, title: 'Duplicated', meaning: 'Ids that several documents have (on several shards).' },
  },
  countMatches: {
    counted: { ...plain, title: 'Documents', meaning: 'Documents at the end.' },
    expectedLeast: {
      ...plain,
      title: 'Expected at Least',
      meaning: 'The minimum number of documents: no operation of unknown outcome was applied.',
    },
    expectedMost: {
      ...plain,
      title: 'Expected at Most',
      meaning: 'The maximum number of documents: all operations of unknown outcome were applied.',
    },
  },
  query: {
    documents: { ...plain, title: 'Documents', meaning: 'Documents that the pipeline returned.' },
    expected: { ...plain, title: 'Expected', meaning: 'Documents that it should return.' },
    differences: {
      ...bad,
      title: 'Differences',
      meaning: 'Positions at which the returned document is not the expected one.',
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, CheckMetric>>>>

export type CheckKind = keyof typeof checkMetrics

export type MeasureOf<Kind extends CheckKind> = keyof (typeof checkMetrics)[Kind] & string

/** The figures of a kind of check; empty for an unknown kind, as in the result of a newer version. */
export const getMeasures = (kind: string): Readonly<Record<string, CheckMetric>> =>
  Object.hasOwn(checkMetrics, kind) ? checkMetrics[kind as CheckKind] : {}
