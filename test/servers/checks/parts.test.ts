import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { idBytes } from '../../../src/servers/checks/id-table.ts'
import { Ledger, type LedgerPart, LedgerRecord, type WriteOutcome } from '../../../src/servers/checks/ledger.ts'
import { type Change, Tally, TallyRecord } from '../../../src/servers/checks/tally.ts'
import { forAll } from '../../fakes/for-all.ts'

type Recorded<Part> = { readonly take: () => Part }

/** What is seen goes to one of these recorders, which may hand over a part then. */
const shared = <Seen>(seen: fc.Arbitrary<Seen>) =>
  fc.array(fc.record({ seen, recorder: fc.nat(3), takes: fc.boolean(), order: fc.nat() }), { maxLength: 50 })

type Turn<Seen> = { readonly seen: Seen; readonly recorder: number; readonly takes: boolean; readonly order: number }

/** Parts of four recorders, in another order than that in which they were taken. All of them have crossed a thread. */
function partsOf<Seen, Part>(
  turns: readonly Turn<Seen>[],
  createRecord: () => Recorded<Part> & { readonly see: (seen: Seen) => void },
): readonly Part[] {
  const records = Array.from({ length: 4 }, createRecord)
  const parts = turns.flatMap(({ seen, recorder, takes, order }) => {
    records[recorder]?.see(seen)
    const part = takes ? records[recorder]?.take() : undefined
    return part === undefined ? [] : [{ order, part: structuredClone(part) }]
  })
  const inOrder = parts.toSorted((one, other) => one.order - other.order).map(({ part }) => part)
  return [...inOrder, ...records.map((record) => record.take())]
}

const closed = (parts: readonly LedgerPart[]) => {
  const ledger = new Ledger()
  for (const part of parts) ledger.add(part)
  return ledger.close()
}

test('ledgers of several units give together what one that saw every call does', () => {
  const id = fc.oneof(fc.nat(9), fc.constantFrom('a', 'b', 'x'.repeat(3000)))
  const outcome = fc.constantFrom<WriteOutcome[]>('acknowledged', 'failed', 'unknown')
  forAll(shared(fc.tuple(id, outcome)), (turns) => {
    const whole = new LedgerRecord()
    for (const { seen } of turns) whole.note(...seen)
    const one = closed([whole.take()])
    const several = closed(
      partsOf(turns, () => {
        const record = new LedgerRecord()
        return { take: () => record.take(), see: (seen) => record.note(...seen) }
      }),
    )
    expect(several.size).toBe(new Set(turns.map(({ seen }) => seen[0])).size)
    expect(several.size).toBe(one.size)
    for (const [sent] of turns.map(({ seen }) => seen)) {
      const bytes = idBytes(sent)
      expect(several.outcomeAt(several.find(bytes))).toBe(one.outcomeAt(one.find(bytes)))
    }
  })
})

const change = (most: number): fc.Arbitrary<Change> =>
  fc.record({ added: fc.nat(9), removed: fc.oneof(fc.nat(9), fc.constant(most)) })
const figures = ({ least, most, acknowledged }: Tally) => ({ least, most, acknowledged })

test('tallies of several units give together what one that saw every call does', () =>
  forAll(shared(fc.tuple(change(9), fc.option(change(Infinity), { nil: undefined }))), (turns) => {
    const [whole, one, several] = [new TallyRecord(), new Tally(), new Tally()]
    for (const { seen } of turns) whole.count(...seen)
    one.add(whole.take())
    const parts = partsOf(turns, () => {
      const record = new TallyRecord()
      const see = (seen: readonly [Change, Change | undefined]): void => record.count(...seen)
      return { take: () => record.take(), see }
    })
    for (const part of parts) several.add(part)
    expect(figures(several)).toEqual(figures(one))
    expect(several.acknowledged.added).toBe(turns.reduce((sum, { seen: [done] }) => sum + done.added, 0))
  }))
