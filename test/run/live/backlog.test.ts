import { expect, test } from 'vitest'
import { type LiveEvent, type LiveHappening } from '../../../src/run/live/live-events.ts'
import { Backlog } from '../../../src/run/live/live-server.ts'
import { aRow, aSecond } from './a-second.ts'

const event = (happening: LiveHappening): LiveEvent => ({ time: '2026-11-23T18:00:00.000Z', ...happening })
const specBegins = event({ kind: 'specBegins', version: 1, spec: 'shop', resumed: false })
const rowBegins = event({ kind: 'rowBegins', row: aRow })
const rowEnds = event({ kind: 'row', row: aRow, status: 'done', seconds: 3 })

const kindsAfter = (backlog: Backlog, id = 0): readonly string[] => backlog.after(id).map((one) => one.event.kind)

test('who comes late gets all rows that have ended, and the seconds of the one that runs', () => {
  const backlog = new Backlog()
  for (const one of [specBegins, rowBegins, aSecond(), rowEnds, rowBegins, aSecond(), aSecond()]) backlog.add(one)
  expect(kindsAfter(backlog)).toEqual(['specBegins', 'row', 'rowBegins', 'second', 'second'])
})

test('who comes again gets what was missed', () => {
  const backlog = new Backlog()
  for (const one of [specBegins, rowBegins, aSecond()]) backlog.add(one)
  const { id } = backlog.add(aSecond({ second: 1 }))
  backlog.add(aSecond({ second: 2 }))
  expect(backlog.after(id).map((one) => one.event)).toMatchObject([{ second: 2 }])
})

test('of a long row, the last ten minutes are kept', () => {
  const backlog = new Backlog()
  for (let second = 0; second < 1000; second++) backlog.add(aSecond({ second }))
  const kept = backlog.after(0)
  expect(kept).toHaveLength(600)
  expect(kept[0]?.event).toMatchObject({ second: 400 })
})

test('the next spec begins anew', () => {
  const backlog = new Backlog()
  for (const one of [specBegins, rowBegins, aSecond(), rowEnds, specBegins]) backlog.add(one)
  expect(kindsAfter(backlog)).toEqual(['specBegins'])
})
