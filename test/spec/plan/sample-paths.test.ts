import { expect, test } from 'vitest'
import { pathsOfKey } from '../../../src/language/generators/sample.ts'
import { samplePaths } from '../../../src/spec/plan/sample-paths.ts'
import { oneRow } from '../../fakes/a-spec.ts'

const sample = (path: string, of?: string) => ({ '@sample': { path, of } })

test('the paths to read are found wherever a call draws a sample', () => {
  const { spec } = oneRow({
    data: [
      { collection: 'a', document: { n: 1 } },
      { collection: 'b', document: { n: 1 } },
    ],
    phases: [
      {
        name: 'go',
        stopAfter: { operations: 1 },
        operations: [
          { kind: 'find', collection: 'a', let: { x: sample('of.let') }, filter: { n: { $in: [sample('n')] } } },
          { name: 'second', kind: 'find', collection: 'b', filter: { n: { '@add': [1, sample('n', 'a')] } } },
          {
            kind: 'steps',
            let: { y: sample('up.front', 'b') },
            steps: [{ kind: 'findOne', collection: 'b', filter: { n: sample('in.step') } }],
          },
          { name: 'literal', kind: 'find', collection: 'a', filter: { '@literal': { n: 1 } } },
        ],
      },
    ],
  })
  expect(samplePaths(spec)).toEqual(
    new Map([
      ['a', new Set(['of.let', 'n'])],
      ['b', new Set(['up.front', 'in.step'])],
    ]),
  )
})

test('paths that are drawn together have a key of their own', () => {
  const together = { '@sample': { path: ['n', 'of.m'] } }
  const { spec } = oneRow({
    data: { collection: 'a', document: { n: 1 } },
    phases: [
      {
        name: 'go',
        stopAfter: { operations: 1 },
        operations: [{ kind: 'find', let: { like: together }, filter: { n: { '@var': 'like.n' }, m: sample('n') } }],
      },
    ],
  })
  const [key, single] = samplePaths(spec).get('a') ?? []
  expect(pathsOfKey(key ?? '')).toEqual(['n', 'of.m'])
  expect([single, pathsOfKey(single ?? '')]).toEqual(['n', undefined])
})
