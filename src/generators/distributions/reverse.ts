import { defineDistribution } from './distribution.ts'

export const reverse = defineDistribution({
  kind: 'reverse',
  summary: 'One after the other from the last, over all workers; from the end again at the start.',
  create(count, _stream, _given, counter) {
    const { take } = counter()
    return () => count - 1 - (take() % count)
  },
})
