/** Reads a file of this repository by its path in it. */
export type ReadText = (path: string) => string

/** A page of `docs/`. */
export type Page = {
  /** Its file in `docs/`. */
  readonly file: string
  readonly title: string
  /** One sentence for the list of pages. */
  readonly summary: string
  /** Everything below the title. The same whenever and wherever it is made. */
  readonly render: (read: ReadText) => string
}
