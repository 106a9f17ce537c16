/** What `--live` serves, made from the result so far: before the first row, after each row, and at the end. */
export type LivePage = {
  /** The page, which listens to "events" and reads "data.json", both relative to its own address. */
  readonly html: () => string
  /** The text of "data.json": JSON. */
  readonly data: () => string
}
