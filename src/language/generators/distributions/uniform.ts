import { defineDistribution } from './distribution.ts'

export const uniform = defineDistribution({
  kind: 'uniform',
  summary: 'Uniform.',
  create:
    (count, stream) =>
    ({ n, lane }) =>
      stream.at(n, lane).below(count),
})
