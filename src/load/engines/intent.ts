/** Database and collection of a call. */
export type Namespace = {
  /** Undefined: the database of the run. Any other is one that we did not make. */
  readonly database: string | undefined
  readonly collection: string
}

/** One write of a bulk. */
export type WriteKind = 'insertOne' | 'updateOne' | 'updateMany' | 'replaceOne' | 'deleteOne' | 'deleteMany'

/** Action of a call: a method of the driver, or a function that is handed in. */
export type MethodKind =
  | WriteKind
  | 'insertMany'
  | 'findOne'
  | 'find'
  | 'aggregate'
  | 'countDocuments'
  | 'estimatedDocumentCount'
  | 'distinct'
  | 'findOneAndUpdate'
  | 'findOneAndReplace'
  | 'findOneAndDelete'
  | 'bulkWrite'
  | 'clientBulkWrite'
  | 'command'
  | 'connect'
  | 'gridfsUpload'
  | 'gridfsDownload'
  | 'function'

/** Under the names that MongoDB has for them. */
export type Options = Readonly<Record<string, unknown>>

export type Write = {
  readonly kind: WriteKind
  /** Undefined: the collection of the call. */
  readonly namespace: Namespace | undefined
  /** Its arguments and options together. */
  readonly fields: Options
}

/** Arguments that are values of the spec. Whether they have the right type is validated before a run. */
export type ValueArguments = {
  readonly filter?: unknown
  readonly update?: unknown
  readonly replacement?: unknown
  readonly document?: unknown
  readonly pipeline?: unknown
  readonly key?: unknown
  readonly command?: unknown
  readonly filename?: unknown
  /** Argument of a function. */
  readonly with?: unknown
}

/**
 * The arguments of one call by their names, whichever engine sends it. Which of them there are depends on its kind. They are
 * values of JavaScript, or, where the plan encodes what is sent, `EncodedValue`s: documents of inserts then have their `_id`
 * and stand one behind the other. Options that are no documents, and those that are whole numbers, stay values.
 */
export type NamedArguments = ValueArguments & {
  readonly documents?: readonly unknown[]
  readonly writes?: readonly Write[]
  /** Bytes of a file, in chunks. Null: the size that was drawn is not valid. */
  readonly content?: readonly Uint8Array[] | null
  /** Collection of the call, where each draws its own. Absent: that of the method. */
  readonly namespace?: Namespace
  readonly options: Options
}

/** The name of an argument of a method; its options are not one, and neither is its collection. */
export type ArgumentName = Exclude<keyof NamedArguments, 'options' | 'namespace'>

/** The arguments of a call that has none. */
export const noArguments: NamedArguments = { options: {} }
