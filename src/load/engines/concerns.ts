/** Members that must have a write: a number of them, "majority", or a mode that the replica set defines. */
export type WriteConcern = {
  readonly w: number | string
  readonly j?: boolean | undefined
  readonly wtimeoutMS?: number | undefined
}

export type ReadConcern = { readonly level: 'local' | 'available' | 'majority' | 'linearizable' | 'snapshot' }

/** The read preference of a phase; its staleness is in seconds. */
export type ReadPreference = {
  readonly mode: 'primary' | 'primaryPreferred' | 'secondary' | 'secondaryPreferred' | 'nearest'
  readonly tags?: Readonly<Record<string, string>>[] | undefined
  readonly maxStalenessSeconds?: number | undefined
}

/** Sent with every call of a phase, or with a whole transaction. */
export type Concerns = {
  readonly writeConcern: WriteConcern
  readonly readConcern: ReadConcern
  readonly readPreference: ReadPreference
}

/** The concerns of a step that replace those of its phase. */
export type StepConcerns = { readonly [Name in 'writeConcern' | 'readPreference']?: Concerns[Name] | undefined }

/** Concerns that the calls of a method are sent with. */
export const resolveConcerns = (
  { concerns }: { readonly concerns?: StepConcerns | undefined },
  { writeConcern, readConcern, readPreference }: Concerns,
): Concerns => ({
  writeConcern: concerns?.writeConcern ?? writeConcern,
  readConcern,
  readPreference: concerns?.readPreference ?? readPreference,
})
