import { fewTimes, manyTimes } from '../repeat.ts'

/** The documents of tasks that write, and their number per iteration. */
export const documentSizes = {
  small: { title: 'Small', file: 'small_doc.json', times: manyTimes },
  large: { title: 'Large', file: 'large_doc.json', times: fewTimes },
} as const
/** A size of documents. */
export type DocumentSize = keyof typeof documentSizes
