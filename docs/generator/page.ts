/** Reads a file of this repository by its relative path. */
export type ReadText = (path: string) => string

/** A page of `docs/`. */
export type Page = {
  /** File name in `docs/`. */
  readonly file: string
  readonly title: string
  /** One sentence for the list of pages. */
  readonly summary: string
  /** The text below the title, which depends only on the source. */
  readonly render: (read: ReadText) => string
}
