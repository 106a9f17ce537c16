import { defineDistribution } from './distribution.ts'

export const sequential = defineDistribution({
  kind: 'sequential',
  summary: 'One after the other from the first, over all workers; from the start again at the end.',
  create(count) {
    let next = 0
    return () => next++ % count
  },
})
