import { type Clock } from '../../../core/clock.ts'
import { type EvidencePart, mergeEvidence } from '../../../load/evidence.ts'
import { type UnitPart } from '../../../load/load-unit.ts'
import { mergeParts } from '../../../load/measure/phase-part.ts'

/** Threads report at the same moment, more or less: what comes so close together leaves the machine as one part. */
const gatherMs = 100

const mergeEach = (one: readonly EvidencePart[], other: readonly EvidencePart[]): readonly EvidencePart[] =>
  one.map((part, i) => mergeEvidence(part, other[i] ?? part))

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
  let gathered: UnitPart[] = []

  function handOver(): void {
    if (gathered.length === 0) return
    const parts = gathered
    gathered = []
    since.clear()
    send({
      recorded: mergeParts(parts.map(({ recorded }) => recorded)),
      evidence: parts.map(({ evidence }) => evidence).reduce(mergeEach),
      completeBefore: Math.min(...completeBefore),
      inFlight: inFlight.reduce((sum, calls) => sum + calls, 0),
      isLast: ended.size === units,
    })
  }

  return (unit, part) => {
    completeBefore[unit] = part.completeBefore
    inFlight[unit] = part.inFlight
    since.add(unit)
    if (part.isLast) ended.add(unit)
    gathered.push(part)
    if (since.size === units || ended.size === units) handOver()
    else if (gathered.length === 1) void sleep(gatherMs).then(handOver)
  }
}
