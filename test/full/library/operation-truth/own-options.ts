/** Options that no server sees: they say what becomes of the documents that it returns. */
export const ownOptions: Readonly<Record<string, readonly string[]>> = {
  findOne: ['expectDocuments'],
  find: ['expectDocuments'],
  aggregate: ['expectDocuments'],
}
