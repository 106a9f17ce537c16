import { type Document } from 'bson'
import { systemClock } from '../../../core/clock.ts'
import { Problem } from '../../../core/errors.ts'
import { createLastingConnection, type LastingConnection } from '../../../protocol/wire/run-command.ts'
import { plainSettings } from '../../../protocol/wire/settings.ts'
import { type MongodProcess } from '../server/process/mongod-process.ts'

const readyMs = 120_000
const pollMs = 50

type Role = 'primary' | 'secondary' | 'arbiter' | 'none'

/**
 * Joins servers into a replica set and resolves when it has a primary and every other member does its work.
 * @param first Position of the member that is to be the first primary.
 */
export async function formReplicaSet(
  servers: readonly MongodProcess[],
  configuration: Readonly<Record<string, unknown>>,
  first: number,
  signal: AbortSignal,
): Promise<void> {
  using connections = connectAll(servers)
  const leader = connections.list[first]
  if (leader === undefined) throw new Error(`There is no member ${first}`)
  await initiate(leader, configuration)

  let roles: readonly Role[] = []
  const isComplete = async (): Promise<boolean> => {
    roles = await Promise.all(connections.list.map(readRole))
    if (hasAllRoles(roles)) return true
    if (!roles.includes('primary')) await askToLead(leader)
    return false
  }
  await waitUntil(isComplete, () => notComplete(servers, roles), signal)
}

/**
 * Shuts members of a complete set down, and resolves when the others have a primary that knows it.
 * @param positions Of those members.
 */
export async function shutDownMembers(
  servers: readonly MongodProcess[],
  positions: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  if (positions.length === 0) return
  const stopped = servers.filter((_, index) => positions.includes(index))
  const running = servers.filter((server) => !stopped.includes(server))
  await Promise.all(stopped.map((server) => server.shutDown()))
  using connections = connectAll(running)
  await waitUntil(
    () => areKnownDown(positions, connections.list),
    () => notDown(stopped),
    signal,
  )
}

async function areKnownDown(positions: readonly number[], servers: readonly LastingConnection[]): Promise<boolean> {
  const roles = await Promise.all(servers.map(readRole))
  const primary = servers[roles.indexOf('primary')]
  if (primary === undefined) return false
  const { members } = await primary.command({ replSetGetStatus: 1 })
  const down = new Set(
    (members as readonly Document[]).filter(({ health }) => health === 0).map(({ _id }) => Number(_id)),
  )
  return positions.every((position) => down.has(position))
}

async function waitUntil(isSo: () => Promise<boolean>, tooLong: () => Problem, signal: AbortSignal): Promise<void> {
  const started = systemClock.now()
  while (!(await isSo())) {
    if (signal.aborted) throw new Problem('aborted', 'The start of the replica set was stopped', { hint: 'Run again.' })
    if (systemClock.now() - started > readyMs) throw tooLong()
    await systemClock.sleep(pollMs, signal)
  }
}

function connectAll(servers: readonly MongodProcess[]): Disposable & { readonly list: readonly LastingConnection[] } {
  const list = servers.map(({ host }) => createLastingConnection(plainSettings(host)))
  return {
    list,
    [Symbol.dispose]: () => list.forEach(({ close }) => close()),
  }
}

async function initiate(server: LastingConnection, configuration: Readonly<Record<string, unknown>>): Promise<void> {
  try {
    await server.command({ replSetInitiate: configuration })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Problem('spec-invalid', `mongod refused the replica set: ${reason}`, {
      hint: 'Correct "members" or "settings" of the target.',
    })
  }
}

/**
 * A fresh set elects its first primary only when the election timeout (10 s) has passed. Asking one to stand at once saves that
 * time without another timeout in the configuration. It is refused until the members have met; then the next try is accepted.
 */
async function askToLead(server: LastingConnection): Promise<void> {
  await server.command({ replSetStepUp: 1 }).catch(() => undefined)
}

/** The state that a member reports of itself: the primary's view of the others is up to a heartbeat old. */
async function readRole(server: LastingConnection): Promise<Role> {
  const hello = await server.command({ hello: 1 })
  if (hello['isWritablePrimary'] === true) return 'primary'
  if (hello['secondary'] === true) return 'secondary'
  return hello['arbiterOnly'] === true ? 'arbiter' : 'none'
}

function hasAllRoles(roles: readonly Role[]): boolean {
  return !roles.includes('none') && roles.filter((role) => role === 'primary').length === 1
}

function notComplete(servers: readonly MongodProcess[], roles: readonly Role[]): Problem {
  const states = servers.map(({ name }, index) => `${name} ${roles[index] === 'none' ? 'not ready' : roles[index]}`)
  return new Problem('no-server', `The replica set was not complete after ${readyMs / 1000} s: ${states.join(', ')}`, {
    hint: 'The machine may be too busy: try fewer members.',
  })
}

function notDown(stopped: readonly MongodProcess[]): Problem {
  const names = stopped.map(({ name }) => name).join(', ')
  return new Problem('no-server', `The replica set did not go on without ${names} within ${readyMs / 1000} s`, {
    hint: 'The machine may be too busy: try fewer members.',
  })
}
