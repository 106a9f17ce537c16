import { type PartOf } from '../../load/part-sink.ts'
import { type Result } from '../../results/schema.ts'
import { type FaultNews } from '../../servers/faults/injection/inject-faults.ts'
import { maxGapMs } from '../../servers/resources/history.ts'
import { type Sample } from '../../servers/resources/sample.ts'
import { redact } from '../../servers/targets/connection/redact.ts'
import { type RunEnvironment } from '../run-environment.ts'
import { type Position, type RunEvent, type RunListener } from '../run-events.ts'
import { type LiveHappening, type LiveListener, type LiveRow, type LiveServer, liveVersion } from './live-events.ts'
import { type LoadSecond, PassSeconds } from './pass-seconds.ts'

/** Listens to the run of one spec. */
export type LiveState = {
  readonly listen: RunListener
  /** The run has ended. */
  readonly end: (status: Result['status']) => void
}

type EventOf<Kind extends RunEvent['kind']> = Extract<RunEvent, { kind: Kind }>

type PassUnderWay = {
  readonly startMs: number
  readonly seconds: PassSeconds
  ok: number
  failed: number
  unknown: number
}

/**
 * Folds what a run reports into events, and gives them to listeners: one a second while a phase runs, and one for each thing that begins,
 * ends or happens.
 * @param secrets Texts that must not appear in an event.
 */
export function createLiveState({
  spec,
  resumed,
  clock,
  secrets,
  listeners,
}: Pick<RunEnvironment, 'clock' | 'secrets'> & {
  readonly spec: string
  readonly resumed: boolean
  readonly listeners: readonly LiveListener[]
}): LiveState {
  const servers = new ServerLoads()
  let row: LiveRow | undefined
  /** Passes of the loads of a phase, by their names. */
  const passes = new Map<string, PassUnderWay>()

  /** @returns what listeners have promised. */
  function emit(happening: LiveHappening, agoMs = 0): Promise<void>[] {
    const event = { time: new Date(clock.date().getTime() - agoMs).toISOString(), ...happening }
    return listeners.flatMap((listen) => listen(event) ?? [])
  }

  const clean = (text: string): string => redact(text, secrets)

  function enterRow({ label, number, of }: Position): LiveRow {
    if (row?.number === number) return row
    row = { label: clean(label), number, of }
    passes.clear()
    servers.clear()
    emit({ kind: 'rowBegins', row })
    return row
  }

  function enterPass({ startMs, ...of }: PartOf, at: LiveRow): PassUnderWay {
    const { phase, load, workers } = of
    const underWay = passes.get(phase)
    if (underWay?.startMs === startMs) return underWay
    const pass = { startMs, seconds: new PassSeconds({ startMs, ...of }), ok: 0, failed: 0, unknown: 0 }
    passes.set(phase, pass)
    // Its first part comes up to a second later.
    emit({ kind: 'phaseBegins', row: at, phase, pass: of.pass, load, workers }, of.nowMs - startMs)
    return pass
  }

  function emitSecond(second: LoadSecond, under: PassUnderWay, at: LiveRow): Promise<void>[] {
    under.ok += second.ok
    under.failed += second.failed
    under.unknown += second.unknown
    return emit({ kind: 'second', row: at, ...second, servers: servers.at(clock.now()) })
  }

  function takePart({ part, of: { at: position, ...of } }: EventOf<'part'>): Promise<unknown> | undefined {
    const at = enterRow(position)
    const under = enterPass(of, at)
    const promised = under.seconds.add(part, of).flatMap((second) => emitSecond(second, under, at))
    if (of.isLast) promised.push(...emit(passEnd(under, of, at)))
    return promised.length === 0 ? undefined : Promise.all(promised)
  }

  emit({ kind: 'specBegins', version: liveVersion, spec: clean(spec), resumed })
  return {
    listen(event) {
      if (event.kind === 'part') return takePart(event)
      if (event.kind === 'sample') servers.add(event.member, event.sample, clock.now())
      if (!('at' in event) || event.kind === 'skipped') return
      const at = enterRow(event.at)
      if (event.kind === 'fault') emit({ kind: 'fault', row: at, ...toLiveFault(event.news) })
      if (event.kind === 'row') emit(rowEnd(event, at))
    },
    end: (status) => void emit({ kind: 'specEnds', status: status === 'running' ? 'failed' : status }),
  }
}

const passEnd = (
  { ok, failed, unknown, startMs }: PassUnderWay,
  { phase, pass, nowMs }: PartOf,
  row: LiveRow,
): LiveHappening => ({
  kind: 'phaseEnds',
  row,
  phase,
  pass,
  seconds: Math.round(nowMs - startMs) / 1000,
  ok,
  failed,
  unknown,
})

// Its error has been redacted where it was caught.
const toLiveFault = ({ kind, atSeconds, ...news }: FaultNews) => ({
  ...news,
  faultKind: kind,
  atSeconds: Math.round(atSeconds * 1000) / 1000,
})

const rowEnd = ({ variant }: EventOf<'row'>, row: LiveRow): LiveHappening => ({
  kind: 'row',
  row,
  status: variant.status,
  seconds: Math.round(variant.seconds * 1000) / 1000,
})

/** Over a shorter time the clock of the CPU is too coarse. */
const minBetweenSamplesMs = 500
/** A server that has not answered for longer is not shown as it was before. */
const staleMs = 3000

type Known = {
  /** The sample from which the next CPU time is counted. */
  readonly from: Sample
  readonly newest: Sample
  readonly cpuPercent: number | null
  readonly receivedMs: number
}

/** Activity of the servers, by their newest samples. */
export class ServerLoads {
  readonly #members = new Map<string, Known>()

  add(member: string, sample: Sample, nowMs: number): void {
    const known = this.#members.get(member)
    const sinceMs = known === undefined ? Infinity : sample.atMs - known.from.atMs
    const isTooSoon = sinceMs < minBetweenSamplesMs
    this.#members.set(member, {
      from: known !== undefined && isTooSoon ? known.from : sample,
      newest: sample,
      cpuPercent: known !== undefined && isTooSoon ? known.cpuPercent : cpuBetween(known?.from, sample),
      receivedMs: nowMs,
    })
  }

  /** Forgets the servers of the row before, which are not those of the next. */
  clear(): void {
    this.#members.clear()
  }

  at(nowMs: number): readonly LiveServer[] {
    return [...this.#members].map(([member, { newest, cpuPercent, receivedMs }]) => {
      const isFresh = nowMs - receivedMs <= staleMs
      const { cacheBytes, cacheMaxBytes, cacheDirtyBytes } = isFresh ? newest.values : {}
      return {
        member,
        role: isFresh ? newest.role : 'other',
        cpuPercent: isFresh ? cpuPercent : null,
        cacheBytes: cacheBytes ?? null,
        cacheMaxBytes: cacheMaxBytes ?? null,
        cacheDirtyBytes: cacheDirtyBytes ?? null,
      }
    })
  }
}

function cpuBetween(from: Sample | undefined, to: Sample): number | null {
  const before = from?.values.processCpuUs
  const after = to.values.processCpuUs
  if (from === undefined || before === undefined || after === undefined) return null
  const sinceMs = to.atMs - from.atMs
  if (from.pid !== to.pid || after < before || sinceMs > 2 * maxGapMs) return null
  return Math.round((after - before) / sinceMs) / 10
}
