/** How the reply of a call is read, whichever engine sent it. */
export type ReplyKind =
  | 'document'
  | 'cursor'
  /** A cursor too, with nothing in it: the documents went into a collection. */
  | 'output'
  | 'insert'
  | 'insertMany'
  | 'update'
  | 'delete'
  | 'deleteMany'
  | 'findAndModify'
  | 'findAndDelete'
  | 'count'
  | 'values'
  | 'bulkWrite'
  | 'command'
  | 'upload'
  | 'download'
  /** Result of a function: whatever it returns. */
  | 'function'

/** Traits shared by all calls whose replies are read in the same way. */
export type ReplyTraits = {
  /** Whether the server reads what is asked for: where the read preference says, with the read concern. */
  readonly reads: boolean
  /** Whether something may be changed: with the write concern. */
  readonly writes: boolean
  /** Whether the reply holds documents or bytes of a file, which are counted. */
  readonly readsDocuments: boolean
  /** Whether there is a number of documents: not where a number, a list of values or nothing of a collection comes back. */
  readonly countsDocuments: boolean
  /** Whether documents are inserted, and their number is known even if nothing is acknowledged. */
  readonly inserts: boolean
  /** Maximum number of documents that a call may add to its collection: to be expected where its outcome is unknown. */
  readonly mayAdd: 0 | 1 | 'one per write'
  /** Maximum number of documents that a call may remove from its collection. */
  readonly mayRemove: number
  /** Whether its namespace is that of a bucket of files. */
  readonly usesBucket: boolean
  /** Whether the server can explain such calls without making them. */
  readonly canExplain: boolean
}

const reading: ReplyTraits = {
  reads: true,
  writes: false,
  readsDocuments: false,
  countsDocuments: false,
  inserts: false,
  mayAdd: 0,
  mayRemove: 0,
  usesBucket: false,
  canExplain: true,
}

const writing: ReplyTraits = { ...reading, reads: false, writes: true, countsDocuments: true }

export const replyTraits: Readonly<Record<ReplyKind, ReplyTraits>> = {
  document: { ...reading, readsDocuments: true, countsDocuments: true },
  cursor: { ...reading, readsDocuments: true, countsDocuments: true },
  count: reading,
  values: reading,
  command: { ...reading, canExplain: false },
  download: { ...reading, readsDocuments: true, countsDocuments: true, usesBucket: true, canExplain: false },
  // What it writes goes to another collection. It has a plan, but a server that took the request for the work itself would write.
  output: { ...reading, writes: true, canExplain: false },
  insert: { ...writing, inserts: true, mayAdd: 1, canExplain: false },
  insertMany: { ...writing, inserts: true, mayAdd: 'one per write', canExplain: false },
  update: { ...writing, mayAdd: 1 },
  delete: { ...writing, mayRemove: 1 },
  deleteMany: { ...writing, mayRemove: Infinity },
  findAndModify: { ...writing, mayAdd: 1 },
  findAndDelete: { ...writing, mayRemove: 1 },
  bulkWrite: { ...writing, mayAdd: 'one per write', mayRemove: Infinity, canExplain: false },
  upload: { ...writing, usesBucket: true, canExplain: false },
  // It may do anything, and only it knows what.
  function: {
    ...reading,
    writes: true,
    mayAdd: 'one per write',
    mayRemove: Infinity,
    canExplain: false,
  },
}

/** Whether a call may change how many documents its collection has. */
export const mayChangeCount = (reply: ReplyKind): boolean => {
  const { mayAdd, mayRemove } = replyTraits[reply]
  return mayAdd !== 0 || mayRemove !== 0
}
