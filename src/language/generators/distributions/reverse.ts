import { defineDistribution } from './distribution.ts'

export const reverse = defineDistribution({
  kind: 'reverse',
  summary: 'One after the other from the last to the first, over all workers, then from the last again.',
  create(count, _stream, _given, counter) {
    const { take } = counter()
    return () => count - 1 - (take() % count)
  },
})
