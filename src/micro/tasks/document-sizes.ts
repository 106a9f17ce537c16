import { fewTimes, manyTimes } from '../repeat.ts'

/** The documents of the tasks that write, and how many of them make an iteration. */
export const documentSizes = {
  small: { title: 'Small', file: 'small_doc.json', times: manyTimes },
  large: { title: 'Large', file: 'large_doc.json', times: fewTimes },
} as const
export type DocumentSize = keyof typeof documentSizes
