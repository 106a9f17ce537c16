import { defineDistribution } from './distribution.ts'

export const reverse = defineDistribution({
  kind: 'reverse',
  summary: 'One after the other from the last, over all workers; from the end again at the start.',
  create(count) {
    let next = 0
    return () => count - 1 - (next++ % count)
  },
})
