import { defineDistribution } from './distribution.ts'

export const sequential = defineDistribution({
  kind: 'sequential',
  summary: 'One after the other from the first, over all workers; from the start again at the end.',
  create(count, _stream, _given, counter) {
    const { take } = counter()
    return () => take() % count
  },
})
