/** A file of `fixtures/reference/`: the figures of a published document. They ship, so a test validates them, and not each report. */
export type PublishedDocument = {
  readonly source: {
    readonly title: string
    readonly author: string
    readonly version?: string
    /** A day, or a month if the day is unknown. Absent: unknown. */
    readonly date?: string
  }
  /** The hardware of all figures. */
  readonly hardware: string
  /** The meaning of headings that mean something else in this project. */
  readonly headings: Readonly<Record<string, string>>
  /** Cores of the servers by their instance types. Absent: unknown. */
  readonly vCpus?: Readonly<Record<string, number>>
  /** Their titles differ. */
  readonly sections: readonly PublishedSection[]
}

type PublishedSection = {
  readonly title: string
  /** The hardware of its figures, as far as it differs between sections. */
  readonly hardware: string
  /** How this copy differs from the document. */
  readonly note?: string
  /** Their titles differ. */
  readonly tables: readonly {
    readonly title: string
    readonly columns: readonly string[]
    /** A cell for each column. */
    readonly rows: readonly (readonly PublishedCell[])[]
  }[]
}

/** A cell of a published table. Null: an empty cell. */
export type PublishedCell = number | string | null
