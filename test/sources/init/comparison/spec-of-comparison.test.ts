import { ObjectId } from 'bson'
import { describe, expect, test } from 'vitest'
import { type CollectionProfile } from '../../../../src/sources/init/collection/collection-profile.ts'
import {
  readComparison,
  specOfComparison,
  type Comparison,
} from '../../../../src/sources/init/comparison/spec-of-comparison.ts'
import { writeDraft } from '../../../../src/sources/init/draft.ts'
import { onSameTopology, detectTopology } from '../../../../src/sources/init/topology.ts'
import { loadSpecText } from '../../../../src/spec/load-spec.ts'
import { printSpec } from '../../../../src/spec/parse/print-spec.ts'
import { fail } from '../../../fakes/fail.ts'
import { foundIndex, profileOf } from '../../../fakes/fake-collection-profile.ts'

const customers = Array.from({ length: 10 }, () => new ObjectId())
const documents = Array.from({ length: 200 }, (_, i) => ({
  _id: new ObjectId(),
  customer: customers[i % 10],
  at: new Date(1.7e12 + i * 60_000),
  lines: [{ sku: `sku${i}` }],
  total: i / 4,
}))

const three = detectTopology({ setName: 'rs', hosts: ['a:1', 'b:1', 'c:1'] })
const byCustomer = '{"customer":1,"at":-1}'

const compare = (indexes: readonly string[], writeConcerns?: string, changes: Partial<CollectionProfile> = {}) => {
  const comparison: Comparison = readComparison(indexes, writeConcerns) ?? fail('nothing is compared')
  const made = specOfComparison(profileOf(documents, changes), comparison, { keepValues: true, server: three })
  const { spec, notes } = writeDraft(onSameTopology(made, three))
  return { notes, loaded: loadSpecText(printSpec(spec), 'made.json') }
}

const guessFor = (index: string) => compare([index]).loaded.rows[0]?.spec.phases[0]?.operations[0]

const indexesOf = ({ loaded }: ReturnType<typeof compare>) =>
  loaded.rows.map(({ label, spec }) => [label, spec.data[0]?.indexes.map(({ key }) => Object.keys(key).join())])

describe('an index is compared with having none', () => {
  test('with every write concern, on a set of as many members', () => {
    const { loaded } = compare([byCustomer], '1,majority')
    expect(loaded.rows.map(({ label }) => label)).toEqual([
      'index none, writeConcern w=1',
      'index none, writeConcern w=majority',
      'index customer_1_at_-1, writeConcern w=1',
      'index customer_1_at_-1, writeConcern w=majority',
    ])
    const [, , , last] = loaded.rows
    expect(last?.spec.target).toMatchObject({ kind: 'replicaSet', members: [{}, {}, {}] })
    expect(last?.spec.phases.map(({ name, writeConcern }) => [name, writeConcern.w])).toEqual([
      ['customer_1_at_-1', 'majority'],
      ['write', 'majority'],
    ])
  })

  test('and the query that it serves is measured apart from the writes', () => {
    const [read, write] = compare([byCustomer]).loaded.rows[0]?.spec.phases ?? []
    expect(read?.operations).toMatchObject([{ kind: 'find', sort: { at: -1 }, limit: 20 }])
    expect(write?.operations.map(({ kind }) => kind)).toEqual(['insertOne', 'updateOne'])
  })

  test('by equality on all fields but the last, and in its order; from a date on it is only the order', () => {
    expect(guessFor('{"customer":1,"total":1,"at":-1}')).toMatchObject({
      filter: { customer: { '@var': 'like.customer' } },
      sort: { total: 1, at: -1 },
    })
    expect(guessFor('{"customer":1,"lines.sku":1,"at":-1}')).toMatchObject({
      filter: { customer: { '@var': 'like.customer' }, 'lines.sku': { '@var': 'like.lines.0.sku' } },
      sort: { at: -1 },
    })
    expect(guessFor('{"at":-1,"customer":1}')).toMatchObject({
      filter: { at: { $gte: {} } },
      sort: { at: -1, customer: 1 },
    })
  })

  test('each of several alone, beside the others that the collection has', () => {
    const indexes = [foundIndex({ total: 1 })]
    expect(indexesOf(compare([byCustomer, '{"lines.sku":1}'], undefined, { indexes }))).toEqual([
      ['index none', ['total']],
      ['index customer_1_at_-1', ['total', 'customer,at']],
      ['index lines.sku_1', ['total', 'lines.sku']],
    ])
  })

  test('also where the collection has it already, with its name and options', () => {
    const indexes = [foundIndex({ customer: 1, at: -1 }, { name: 'mine', sparse: true })]
    const made = compare([byCustomer], undefined, { indexes })
    expect(indexesOf(made)).toEqual([
      ['index none', []],
      ['index mine', ['customer,at']],
    ])
    expect(made.loaded.rows[1]?.spec.data[0]?.indexes).toMatchObject([{ name: 'mine', sparse: true }])
    expect(made.notes).toHaveLine('comparison-note-index-exists', { index: 'mine' })
  })
})

const reportOf = ({ loaded }: ReturnType<typeof compare>) => loaded.rows[0]?.spec.report
const textsOf = (made: ReturnType<typeof compare>): readonly unknown[] =>
  [reportOf(made)?.analysis ?? []].flat().map((line) => (typeof line === 'string' ? line : line.text))

const finding = (code: string, ratio: string) => ({ text: expect.toSay(code) as unknown, ratio })

describe('the report', () => {
  test('states ratios with verdicts: writes under each write concern, the query, and write concerns', () => {
    const made = compare([byCustomer], '1,majority')
    const index = 'customer_1_at_-1'
    expect(textsOf(made)).toSay('comparison-lines', { index })
    expect(reportOf(made)?.let?.['writes0_1']).toEqual({
      '@ratio': {
        of: 'write.opsPerSecond',
        at: { writeConcern: 'w=majority', index },
        to: { writeConcern: 'w=majority', index: 'none' },
        noun: 'writes per second',
      },
    })
  })

  test('finds out what the first index gains and costs, or what a write concern does', () => {
    const findingOf = (made: ReturnType<typeof compare>) => reportOf(made)?.finding
    expect(findingOf(compare([byCustomer]))).toEqual(finding('comparison-finding', 'writes0_0'))
    expect(findingOf(compare([byCustomer], '1,majority'))).toEqual(finding('comparison-finding-w1', 'writes0_0'))
    expect(findingOf(compare([], '1,majority'))).toEqual(finding('comparison-finding-concerns', 'concern0'))
    expect(findingOf(compare([], '1'))).toBeUndefined()
  })

  test('has enough rounds for verdicts', () => {
    expect(compare([byCustomer]).loaded.repeat.times).toBe(6)
    expect(textsOf(compare([byCustomer]))[0]).toSay('comparison-line-writes', { index: 'customer_1_at_-1' })
  })

  test('says nothing where there is nothing to compare with', () => {
    expect(textsOf(compare([], '1'))).toEqual([])
  })
})

test('write concerns alone make rows of their own', () => {
  const { loaded } = compare([], '1,majority,3')
  expect(loaded.rows.map(({ label }) => label)).toEqual(['w=1', 'w=majority', 'w=3'].map((w) => `writeConcern ${w}`))
  expect(loaded.rows[0]?.spec.phases.map(({ name }) => name)).toEqual(['write'])
})

describe('what cannot be compared is a problem', () => {
  test.each([
    [['{"custmer":1}'], undefined, 'comparison-field-unknown', { given: 'custmer', nearest: 'customer' }],
    [['{"lines.sk":1}'], undefined, 'comparison-field-unknown', { given: 'lines.sk', nearest: 'lines.sku' }],
    [['{"_id":1}'], undefined, 'comparison-of-id-index'],
    [['{customer:1}'], undefined, 'comparison-index-unreadable', { given: '{customer:1}' }],
    [['{"customer":2}'], undefined, 'comparison-index-unreadable', { given: '{"customer":2}' }],
    [['{}'], undefined, 'comparison-index-unreadable', { given: '{}' }],
    [[], '1,most', 'comparison-concern-unknown', { given: '"most"' }],
    [[], '', 'comparison-concern-unknown', { given: '""' }],
    [[], '1,4', 'comparison-concern-above-members', { members: 3, given: 4 }],
  ])('%j %s', (indexes, writeConcerns, code, data?) => {
    expect(() => compare(indexes, writeConcerns)).toSay(code, data)
  })
})
