/** They run code on the server, or write outside of the benchmark's database. */
export const refusedKeys: ReadonlySet<string> = new Set(['$where', '$function', '$accumulator', '$out', '$merge'])

/** Whether an object that is made while a spec runs may have this key. */
export const isUsableKey = (key: string): boolean => !/^(__proto__|_bsontype)$|^@|\0/.test(key) && !refusedKeys.has(key)
