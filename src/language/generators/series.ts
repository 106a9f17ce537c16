import { z } from 'zod'
import { mixIn, type Stream } from '../../core/random.ts'
import { byValue } from '../values/bson-types.ts'
import { frameBytes, hashDate, keyBytes, valueBytes } from '../values/size-and-hash.ts'
import { date64 } from './date.ts'
import { defineGenerator } from './generator.ts'
import { ownNumber } from './signal.ts'

const seconds = z.number().min(0.001).max(1e9)
const share = z.number().min(0).max(1)

/** Measurements of all devices in the longest interval: their order is kept in memory. */
const maxSlots = 2 ** 22

const bytesBesideTick = frameBytes + ['device', 'tick', 'at'].reduce((sum, key) => sum + keyBytes(key), 0) + 4 + 8

export const series = defineGenerator({
  keyword: '@series',
  summary:
    'A measurement of a fleet of devices: the `device`, its `tick` (how many measurements it made before), and the time `at`. Row by row they come in the order of time, each device at its own rate. Put it into `let`, and read its fields with `@var`.',
  args: z
    .strictObject({
      devices: z.int().min(1).max(1_000_000).describe('Number of devices, 1 to 1000000: each is a series.'),
      start: date64.prefault('2026-01-01T00:00:00Z').describe('When they start. Default 2026-01-01T00:00:00Z.'),
      everySeconds: ownNumber(seconds)
        .prefault(10)
        .describe('Seconds between measurements of a device, or {min, max}: each device its own. Default 10.'),
      jitter: share.default(0).describe('Part of its interval by which a measurement may be delayed. Default 0.'),
      gaps: z
        .strictObject({
          everySeconds: seconds.describe('Seconds in which each device sends, between one gap and the next.'),
          seconds: seconds.describe('Seconds in which it sends nothing.'),
        })
        .optional()
        .describe('Periods in which a device is silent, at different times for each device. Default: none.'),
      late: z
        .strictObject({
          share: share.describe('Part of the measurements that are late, 0 to 1.'),
          seconds: seconds.describe('Longest delay, in seconds; delays up to it are uniformly distributed.'),
        })
        .optional()
        .describe('Measurements that arrive after newer ones. Default: none.'),
    })
    .refine(
      ({ devices, everySeconds: { min, max } }) => devices * Math.round(max / min) <= maxSlots,
      `the devices make more than ${maxSlots} measurements in the longest interval: take fewer, or a longer "min"`,
    ),
  // Looking into each object would take as long as making it.
  countsItself: true,
  example: { devices: 100, everySeconds: { min: 5, max: 60 }, jitter: 0.2 },
  compile({ devices, start, everySeconds: { min, max }, jitter, gaps, late }, context) {
    const stream = context.stream()
    let schedule: Schedule | undefined
    return (drawContext) => {
      const { n, lane } = drawContext
      schedule ??= createSchedule(devices, max / min, stream)
      const { slots, starts, rates } = schedule
      const frame = Math.floor(n / slots.length)
      const slot = slots[n % slots.length] as number
      const [device, turn] = [slot % devices, Math.floor(slot / devices)]
      const rate = rates[device] as number
      let time = (frame + ((starts[device] as number) + turn) / rate) * max
      if (gaps !== undefined) {
        const cycle = Math.floor(time / gaps.everySeconds)
        const silentFrom = stream.at(device, cycle + 1).float()
        time += (cycle + (time / gaps.everySeconds - cycle > silentFrom ? 1 : 0)) * gaps.seconds
      }
      stream.at(n, lane)
      if (jitter > 0) time += stream.float() * jitter * (max / rate)
      if (late !== undefined && stream.float() < late.share) time -= Math.min(time, stream.float() * late.seconds)
      const ms = Math.round(start + time * 1000)
      const tick = byValue(frame * rate + turn)
      drawContext.hash = mixIn(mixIn(mixIn(drawContext.hash, device), turn), hashDate(ms))
      drawContext.bytes += bytesBesideTick + valueBytes(tick)
      return { device, tick, at: new Date(ms) }
    }
  },
})

/** The measurements of the longest interval, after which the same devices measure in the same order again. */
type Schedule = {
  /** In the order of time: the number of the device, plus the number of devices for each measurement that it has made. */
  readonly slots: Int32Array
  /** When a device makes its first measurement, as a part of its interval. */
  readonly starts: Float64Array
  readonly rates: Int32Array
}

/** @param spread The longest interval divided by the shortest; the logarithms of the intervals are uniformly distributed. */
function createSchedule(devices: number, spread: number, stream: Stream): Schedule {
  const starts = new Float64Array(devices)
  const rates = new Int32Array(devices)
  let length = 0
  for (let device = 0; device < devices; device++) {
    starts[device] = stream.at(device).float()
    length += rates[device] = Math.round(spread ** stream.float())
  }
  // A time and its slot in one number: sorting plain numbers takes a tenth of the time.
  const order = new Float64Array(length)
  let i = 0
  for (let device = 0; device < devices; device++) {
    const rate = rates[device] as number
    for (let turn = 0; turn < rate; turn++)
      order[i++] =
        Math.floor((((starts[device] as number) + turn) / rate) * 2 ** 30) * maxSlots + device + turn * devices
  }
  return { slots: Int32Array.from(order.toSorted(), (entry) => entry % maxSlots), starts, rates }
}
