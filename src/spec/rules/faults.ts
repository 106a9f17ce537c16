import { type Path } from '../../core/json.ts'
import { type Report } from '../../language/issues.ts'
import { groupBy } from '../../metrics/statistics.ts'
import { parseSelector } from '../../servers/faults/choose-servers.ts'
import {
  type AnyFault,
  type Beginnings,
  type Lasting,
  type TargetKind,
  type SelectorAtPath,
} from '../../servers/faults/fault.ts'
import { type FaultSpec, getFault, nameOfFault } from '../../servers/faults/index.ts'
import { type TargetSpec } from '../../servers/targets/index.ts'
import { plainMembers } from '../../servers/targets/replica-set/options.ts'
import { getOperationName } from '../operations/index.ts'
import { resolveStopAfter } from '../plan/compile-load.ts'
import { type PhaseSpec } from '../schema/phase-schema.ts'
import { type Spec } from '../schema/schema.ts'
import { type Rule } from './rule.ts'

/** Validates the faults of a spec: their names and times, and whether the target supports them. */
export const faultRule: Rule = {
  name: 'faults',
  reads: ['target'],
  check({ phases, target }, report) {
    for (const { fault, earlier, phase, path } of faultsIn(phases)) {
      const taken = findTaken(nameOfFault(fault), earlier, phase, phases)
      if (taken !== undefined)
        report(path, `${taken}; give the fault ${fault.name === undefined ? 'a' : 'another'} "name"`)
      validateTimes(fault, phase, path, report)
      if (fault.kind === 'random')
        for (const [at, drawn] of fault.of.entries()) validateFault(drawn, target, [...path, 'of', at], report)
      else validateFault(fault, target, path, report)
    }
  },
}

const faultsIn = (phases: Spec['phases']) =>
  phases.flatMap((phase, p) =>
    (phase.faults ?? []).map((fault, i, all) => ({
      fault,
      earlier: all.slice(0, i),
      phase,
      path: ['phases', p, 'faults', i] as Path,
    })),
  )

/** Addresses identify phases, operations and faults by name, so names must be unique. */
function findTaken(
  name: string,
  earlier: readonly FaultSpec[],
  { operations }: PhaseSpec,
  phases: Spec['phases'],
): string | undefined {
  if (earlier.some((other) => nameOfFault(other) === name)) return `another fault of this phase is called "${name}"`
  if (operations.some((operation) => getOperationName(operation) === name))
    return `an operation of this phase is called "${name}"`
  return phases.some((phase) => phase.name === name) ? `a phase is called "${name}"` : undefined
}

function validateTimes(fault: FaultSpec, phase: PhaseSpec, path: Path, report: Report): void {
  const { seconds = Infinity } = resolveStopAfter(phase)
  const { atSeconds, everySeconds, times = 1 }: Beginnings = fault
  if (atSeconds >= seconds) report([...path, 'atSeconds'], `the phase is over after ${seconds} s`)
  if (everySeconds === undefined) {
    if (times > 1) report([...path, 'times'], 'needs "everySeconds": the time from one to the next')
    return
  }
  const maxSeconds = fault.kind === 'random' ? fault.forSeconds.max : getMaxSeconds(fault)
  if (maxSeconds === undefined) report([...path, 'everySeconds'], 'needs "forSeconds": how long each of them lasts')
  else if (maxSeconds >= everySeconds)
    report(
      [...path, 'forSeconds'],
      `must be below "everySeconds" (${everySeconds}): one is undone before the next begins`,
    )
}

/** Maximum duration. Zero for a fault with nothing to undo. Undefined: it lasts until the phase ends. */
const getMaxSeconds = (fault: FaultSpec): number | undefined =>
  getFault(fault.kind).lasts ? (fault as Lasting).forSeconds : 0

function validateFault(fault: AnyFault, target: TargetSpec, path: Path, report: Report): void {
  const { kind, takenBy, needs, selectors, check } = getFault(fault.kind)
  if (!takenBy.includes(target.kind)) return report(path, notTaken(kind, target.kind, takenBy))
  check(fault as never, path, report)
  for (const { path: steps, selector } of selectors(fault as never)) {
    const reason = selector === 'client' ? undefined : reasonAgainst(selector, target)
    if (reason !== undefined) report([...path, ...steps], reason)
  }
  if (target.kind === 'sharded' && needs.includes('proxies')) validateLinks(selectors(fault as never), path, report)
}

/** In a cluster proxies are in front of the members of each shard, and know members of their own shard alone. */
function validateLinks(selectorPaths: readonly SelectorAtPath[], path: Path, report: Report): void {
  const linked = groupBy(
    selectorPaths.filter(({ selector }) => selector !== 'client'),
    ({ path: [field, link] }) => String(field === 'links' ? link : field),
  )
  for (const [first, ...others] of linked.values()) {
    const { set } = parseSelector(first?.selector ?? '')
    const other = others.find(({ selector }) => parseSelector(selector).set !== set)
    if (other !== undefined)
      report([...path, ...other.path], `is not in ${set}: only links inside of one shard, or with its "client", change`)
    else if (first !== undefined && set === 'config')
      report([...path, ...first.path], 'links of config servers cannot be changed: name members of a shard')
  }
}

const notTaken = (kind: string, target: TargetKind, takenBy: readonly TargetKind[]): string =>
  target === 'existing'
    ? `"${kind}" does not work on an existing server; only "stepDown" does`
    : `"${kind}" does not work on a target of kind "${target}"; it needs ${takenBy.map((one) => `"${one}"`).join(' or ')}`

/** Why a selector matches no server of a target. */
function reasonAgainst(selector: string, target: TargetSpec): string | undefined {
  const { set, role } = parseSelector(selector)
  switch (target.kind) {
    case 'existing':
      return set === '' ? undefined : `the sets of an existing cluster are not known: "${selector}"`
    case 'standalone':
      if (set !== '') return noSuchSet(set, target.kind)
      return ['primary', 'any', 'all', 'member0'].includes(role)
        ? undefined
        : `there is no ${role}: the target is one server`
    case 'replicaSet':
      return set === '' ? inSet(role, target.members) : noSuchSet(set, target.kind)
    case 'sharded':
      return inCluster(set, role, target)
  }
}

const noSuchSet = (set: string, kind: TargetKind): string => `there is no "${set}" in a target of kind "${kind}"`

type Members = Extract<TargetSpec, { kind: 'replicaSet' }>['members']

function inSet(role: string, members: Members): string | undefined {
  if (role.startsWith('secondar') && members.length === 1) return 'the set has one member, and no secondary'
  if (role === 'minority' && members.length < 3) return `a set of ${members.length} has no minority`
  if (!role.startsWith('member')) return undefined
  const position = Number(role.slice('member'.length))
  const member = members[position]
  if (member === undefined || role !== `member${position}`)
    return `there is no ${role}: the set has ${members.length}, counted from 0`
  return member.stopped ? `${role} is stopped all the time` : undefined
}

function inCluster(set: string, role: string, target: Extract<TargetSpec, { kind: 'sharded' }>): string | undefined {
  if (set === '') return `name the set too: "shard0/${role}"`
  if (set === 'config') return inSet(role, plainMembers(target.configServers))
  const shard = target.shards[Number(set.slice('shard'.length))]
  if (shard === undefined) return `there is no ${set}: the target has ${target.shards.length} shards, counted from 0`
  return inSet(role, shard.members)
}

/** An existing server steps down only where the command line allows it. */
export const stepDownRule: Rule = {
  name: 'step-downs',
  reads: ['target'],
  check({ phases, target }, report, { overrides: { allowStepDown = false } }) {
    if (allowStepDown || target.kind !== 'existing') return
    for (const { path } of faultsIn(phases)) report(path, stepDownIsRefused, { refused: true })
  },
}

const stepDownIsRefused =
  'an existing server may step down only if the command line allows it; if that is what you want, add --allow-step-down'
