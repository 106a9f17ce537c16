import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { timePoolWaits } from '../../../../src/load/engines/driver/driver-engine.ts'
import { fakeClock } from '../../../fakes/fake-clock.ts'

test('waits end in the order in which they began, for each server, also where a call gives up', () => {
  const clock = fakeClock()
  const events = new EventEmitter()
  const watch = timePoolWaits(events as never, clock)
  const emit = (name: string, address = 'a'): void => void events.emit(name, { address })
  const waits: number[] = []
  emit('connectionCheckOutStarted')
  watch((ms) => waits.push(ms))
  clock.advance(5)
  emit('connectionCheckOutStarted')
  emit('connectionCheckOutStarted', 'b')
  emit('connectionCheckedOut', 'b')
  clock.advance(2)
  emit('connectionCheckedOut')
  clock.advance(1)
  emit('connectionCheckOutFailed')
  emit('connectionCheckedOut')
  expect(waits).toEqual([0, 7, 3])
})
