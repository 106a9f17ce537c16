import { type Clock } from '../clock.ts'
import { mergeEvidence } from '../load/evidence.ts'
import { type UnitPart } from '../load/load-unit.ts'
import { mergeParts } from '../measure/phase-part.ts'

/** Threads hand over at the same moment, more or less: what comes so close together leaves the machine as one part. */
const gatherMs = 100

/** Merges two parts of different units. Whether it is the last, and what is complete, only all of the units together know. */
const merged = (one: UnitPart, other: UnitPart): Pick<UnitPart, 'recorded' | 'evidence'> => ({
  recorded: mergeParts(one.recorded, other.recorded),
  evidence: one.evidence.map((part, i) => mergeEvidence(part, other.evidence[i] ?? part)),
})

/** Merges the parts of the units of one machine, so that one part leaves it once a second. */
export function createPartMerger(
  units: number,
  send: (part: UnitPart) => void,
  { sleep }: Pick<Clock, 'sleep'>,
): (unit: number, part: UnitPart) => void {
  const completeBefore = Array.from({ length: units }, () => 0)
  const inFlight = Array.from({ length: units }, () => 0)
  const ended = new Set<number>()
  const since = new Set<number>()
  let gathered: UnitPart | undefined

  function handOver(): void {
    if (gathered === undefined) return
    const part = {
      ...gathered,
      completeBefore: Math.min(...completeBefore),
      inFlight: inFlight.reduce((sum, calls) => sum + calls, 0),
      isLast: ended.size === units,
    }
    gathered = undefined
    since.clear()
    send(part)
  }

  return (unit, part) => {
    completeBefore[unit] = part.completeBefore
    inFlight[unit] = part.inFlight
    since.add(unit)
    if (part.isLast) ended.add(unit)
    const isFirst = gathered === undefined
    gathered = gathered === undefined ? part : { ...part, ...merged(gathered, part) }
    if (since.size === units || ended.size === units) handOver()
    else if (isFirst) void sleep(gatherMs).then(handOver)
  }
}
