import { dirname } from 'node:path/posix'
import { type Clock } from '../../../core/clock.ts'
import { Problem } from '../../../core/errors.ts'
import { codeOperators, type GuardedKey } from '../../../language/values/keys.ts'
import { type LoadUnit, type UnitPart } from '../../../load/load-unit.ts'
import { measureMachineSpeed } from '../../../load/measure/machine-speed.ts'
import { computeSharePart, type Share } from '../../../load/plan/share.ts'
import { processMs } from '../../../load/threads/thread-clock.ts'
import { reachExisting, type UriContext } from '../../../servers/targets/existing/reach-existing.ts'
import { toDatabaseName } from '../../../servers/targets/ownership.ts'
import { type LoadedSpec, loadSpecText } from '../../../spec/load-spec.ts'
import { isSearch, planStep } from '../../../spec/plan/search-steps.ts'
import { type PhaseSpec } from '../../../spec/schema/phase-schema.ts'
import { type Spec } from '../../../spec/schema/schema.ts'
import { type ReplayOfAgent, startLoadThread } from '../../threads/thread-work.ts'
import { deploymentIdentity } from '../deployment-identity.ts'
import { type AgentAnswer, type AgentNotice, type AgentRequest, type AgentWork, type SpecWork } from '../messages.ts'
import { startLoadMeter } from './load-meter.ts'
import { createPartMerger } from './part-merger.ts'
import { ReceivedRecording } from './received-recording.ts'

/** Permissions of the machine of an agent: a coordinator cannot widen them. */
export type Permissions = UriContext & {
  readonly allow: readonly GuardedKey[]
  readonly allowWrites: readonly string[]
}

type RequestOf<Kind extends AgentRequest['kind']> = Extract<AgentRequest, { readonly kind: Kind }>

/** Answers the requests of one run. */
export type RequestWorker = {
  /** @param onPart Takes a part once a second while a request to run is under way. */
  readonly answer: (request: AgentRequest, onPart: (part: UnitPart) => void) => Promise<AgentAnswer>
  /** May come several times, and before its phase is prepared. */
  readonly notice: (notice: AgentNotice) => void
  /** Allows calls for a number of milliseconds from now on. Threads see to it even when this one stands still. */
  readonly mayRunFor: (ms: number) => void
  /** Ends the load for good, whatever is under way. */
  readonly leave: (because: string) => Promise<void>
}

/** Prepares a replay as threads do, to find out whether they can. @throws {Problem} when not. */
export type CheckReplay = (replay: ReplayOfAgent) => Promise<unknown>

/** Runs the shares of an agent, each in a thread: one phase after the other, and the loads of a phase at the same time. */
export class PhaseWorker implements RequestWorker {
  readonly #permissions: Permissions
  readonly #clock: Clock
  readonly #checkReplay: CheckReplay | undefined
  readonly #recording = new ReceivedRecording()
  /** Units by their loads, which are named after their phase: "mixed/7". */
  readonly #works = new Map<string, readonly LoadUnit[]>()
  /** The last notice to each load: it may come before it is prepared. */
  readonly #notices = new Map<string, AgentNotice>()
  /** Read by all threads: no call goes out when the clock of the process shows that, or more. */
  readonly #mayRunUntil = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT))
  /** Why nothing more is done for the run. */
  #leftBecause: string | undefined

  /** @param checkReplay Default: replays are not checked before they begin. */
  constructor(permissions: Permissions, clock: Clock, checkReplay?: CheckReplay) {
    this.#permissions = permissions
    this.#clock = clock
    this.#checkReplay = checkReplay
  }

  /** @throws {Problem} "agents-unavailable" when the run was left meanwhile. */
  async answer(request: AgentRequest, onPart: (part: UnitPart) => void): Promise<AgentAnswer> {
    try {
      this.#refuseWhenLeft()
      return await this.#act(request, onPart)
    } catch (error) {
      // Threads that were ended fail, in ways that explain nothing.
      this.#refuseWhenLeft()
      throw error
    }
  }

  async #act(request: AgentRequest, onPart: (part: UnitPart) => void): Promise<AgentAnswer> {
    switch (request.kind) {
      case 'recording':
        this.#recording.add(request.at, request.bytes)
        return { kind: 'done' }
      case 'check':
        return await this.#check(request)
      case 'prepare':
        return await this.#prepare(request.phase, request.work)
      case 'connect': {
        const connect = (unit: LoadUnit, share: Share): Promise<void> =>
          unit.connect(computeSharePart(request.workers, share))
        await each(this.#unitsOf(request), connect)
        this.#heed(request.phase)
        return { kind: 'done' }
      }
      case 'run':
        return await this.#run(request, onPart)
      case 'close':
        await each(this.#unitsOf(request), (unit) => unit.close())
        return { kind: 'done' }
      case 'end':
        await this.#end((phase) => phase === request.phase)
        return { kind: 'done' }
    }
  }

  async #check({ work, uriFrom, deployment: wanted }: RequestOf<'check'>): Promise<AgentAnswer> {
    loadWork(work, this.#permissions)
    const replay = this.#replayOf(work)
    if (replay !== undefined) await this.#checkReplay?.(replay)
    const { deployment } = await this.#reach(uriFrom)
    return deployment === wanted ? { kind: 'done' } : { kind: 'elsewhere', deployment }
  }

  async #run({ phase, request }: RequestOf<'run'>, onPart: (part: UnitPart) => void): Promise<AgentAnswer> {
    const units = this.#unitsOf({ phase })
    const take = createPartMerger(units.length, onPart, this.#clock)
    const readLoad = startLoadMeter()
    const runs = await each(units, (unit, share) =>
      unit.run({ ...request, workers: computeSharePart(request.workers, share) }, (part) => take(share.index, part)),
    )
    return { kind: 'ran', runs: runs.flat(), load: readLoad() }
  }

  #unitsOf({ phase }: Pick<AgentNotice, 'phase'>): readonly LoadUnit[] {
    return this.#works.get(phase) ?? []
  }

  notice(notice: AgentNotice): void {
    this.#notices.set(notice.phase, notice)
    this.#heed(notice.phase)
  }

  mayRunFor(ms: number): void {
    this.#mayRunUntil[0] = processMs() + ms
  }

  async leave(because: string): Promise<void> {
    this.#leftBecause = because
    await this.#end()
    this.#recording.remove()
  }

  /** Ends loads, whatever is under way. */
  async #end(isMeant: (phase: string) => boolean = () => true): Promise<void> {
    const ending = [...this.#works].filter(([phase]) => isMeant(phase))
    for (const [phase] of ending) this.#works.delete(phase)
    await Promise.all(ending.flatMap(([, units]) => units.map((unit) => unit.end())))
  }

  #refuseWhenLeft(): void {
    if (this.#leftBecause === undefined) return
    throw new Problem('agents-unavailable', `The run was left: ${this.#leftBecause}`, {
      hint: 'Finished rows are in the result; --resume runs the others.',
    })
  }

  #heed(phase: string): void {
    const notice = this.#notices.get(phase)
    if (notice === undefined) return
    const acts: Readonly<Record<AgentNotice['act'], (unit: LoadUnit) => unknown>> = {
      stop: (unit) => unit.stop('aborted'),
      'stop: precision': (unit) => unit.stop('precision'),
      abandon: (unit) => unit.abandon(),
      end: (unit) => unit.end(),
    }
    for (const unit of this.#unitsOf(notice)) acts[notice.act](unit)
  }

  async #reach(uriFrom: string): Promise<{ readonly uri: string; readonly deployment: string }> {
    const { uri } = await reachExisting(uriFrom, this.#permissions)
    return { uri, deployment: await deploymentIdentity(uri) }
  }

  #replayOf({ replay }: SpecWork): ReplayOfAgent | undefined {
    if (replay === undefined) return undefined
    const { allow, allowWrites } = this.#permissions
    const allowJavaScript = codeOperators.every((key) => allow.includes(key))
    return { file: this.#recording.fileOf(replay.digest), given: replay.given, allowWrites, allowJavaScript }
  }

  async #prepare(phase: string, work: AgentWork): Promise<AgentAnswer> {
    // What is left of a phase before this one.
    await this.#end((other) => dirname(other) !== dirname(phase))
    const { spec, phaseSpec } = findPhase(loadWork(work, this.#permissions), work)
    const { target } = spec
    if (target.kind !== 'existing')
      throw new Problem('refused', 'The spec starts servers, which agents cannot do', {
        hint: 'Give the run the URI of a running server, with --uri or MONGO_PERF_URI.',
      })
    const { uri, deployment } = await this.#reach(target.uriFrom)
    if (deployment !== work.deployment) return { kind: 'elsewhere', deployment }
    const machineSpeed = phaseSpec.measured ? await measureMachineSpeed(this.#clock) : null
    const { shares, firstRows, samples, evidence, clockOriginMs } = work
    const ofThreads = {
      uri,
      database: toDatabaseName(spec.name),
      seed: spec.seed,
      data: spec.data,
      phase: phaseSpec,
      firstRows,
      samples,
      evidence,
      functionsFrom: undefined,
      clockOriginMs,
      mayRunUntil: this.#mayRunUntil,
      replay: this.#replayOf(work),
    }
    this.#refuseWhenLeft()
    this.#works.set(
      phase,
      shares.map((share) => startLoadThread({ ...ofThreads, share })),
    )
    return { kind: 'prepared', machineSpeed }
  }
}

const each = <Result>(
  units: readonly LoadUnit[],
  act: (unit: LoadUnit, share: Share) => Promise<Result>,
): Promise<Result[]> => Promise.all(units.map((unit, index) => act(unit, { index, of: units.length })))

/** Finds the phase that a request means, or the step of it. */
function findPhase(
  { rows }: LoadedSpec,
  { row, phase, step }: AgentWork,
): { readonly spec: Spec; readonly phaseSpec: PhaseSpec } {
  const spec = rows[row]?.spec
  const found = spec?.phases[phase]
  if (spec === undefined || found === undefined) throw new Error('The spec has no such row or phase')
  return { spec, phaseSpec: step !== undefined && isSearch(found.load) ? planStep(found, found.load, step) : found }
}

/**
 * Validates the spec of a run as `run` does, with the permissions of this machine.
 * @throws {Problem} when the spec does what this machine does not allow.
 */
function loadWork({ spec, only, existing, hash }: SpecWork, { allow, allowWrites }: Permissions): LoadedSpec {
  const loaded = loadSpecText(spec, 'spec of the run', {
    only,
    existing,
    allow,
    allowWrites,
    // Faults are injected by the coordinator.
    allowStepDown: true,
    filesElsewhere: true,
    functions: {},
  })
  if (loaded.hash === hash) return loaded
  throw new Error('The spec does not describe the same work here as for the coordinator of the run')
}
