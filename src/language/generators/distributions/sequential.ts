import { defineDistribution } from './distribution.ts'

export const sequential = defineDistribution({
  kind: 'sequential',
  summary: 'One after the other from the first to the last, over all workers, then from the first again.',
  create(count, _stream, _given, counter) {
    const { take } = counter()
    return () => take() % count
  },
})
