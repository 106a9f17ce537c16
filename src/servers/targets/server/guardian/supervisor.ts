import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { Socket } from 'node:net'
import { Problem } from '../../../../core/errors.ts'
import { makeFolder } from '../../../../core/files.ts'
import { type DetachedHelper, spawnDetachedHelper } from '../../../child-process.ts'
import { thisSystem } from '../../../system.ts'
import { readEndedChildrenMs, requireProcesses } from './process-facts.ts'
import { readCpuMs, type ProcessIdentity } from './process-identity.ts'
import { forgetServer, recordServer, type ServerRecord } from './state.ts'

/** Sees to it that no server outlives us: writes each down, and keeps a guardian that stops them when we are gone. */
export type Supervisor = AsyncDisposable & {
  /** Name of its guardian in records. */
  readonly id: string
  /** To be awaited before a server is started, or changed. @param changedUri Of the server that is changed: a secret. */
  readonly guard: (changedUri?: string) => Promise<void>
  /** To be called in the same turn of the event loop as the start. */
  readonly record: (server: Omit<ServerRecord, 'startTime' | 'owner' | 'guardian'>) => ServerRecord
  readonly forget: (server: ServerRecord) => void
  /** CPU time so far of all that were recorded and not forgotten, and of what has ended: servers, routers and proxies. Null: not known. */
  readonly cpuTimes: () => {
    readonly each: ReadonlyMap<ProcessIdentity, number | null>
    readonly endedMs: number | null
  }
}

/** Creates a supervisor that keeps its records in the state folder. */
export function createSupervisor(stateFolder: string): Supervisor {
  // A process may have several at a time: a server of a test suite, and runs beside it.
  const id = randomUUID()
  let guardian: Promise<Socket> | undefined
  const started = new Map<number, ProcessIdentity>()
  return {
    id,
    async guard(changedUri) {
      const pipe = await (guardian ??= startGuardian(stateFolder, id))
      if (changedUri !== undefined) pipe.write(changedUri)
    },
    record(server) {
      const record = recordServer(stateFolder, { ...server, guardian: id })
      started.set(record.pid, record)
      return record
    },
    forget(server) {
      forgetServer(stateFolder, server)
      started.delete(server.pid)
    },
    cpuTimes: () => ({ each: readCpuMs([...started.values()]), endedMs: readEndedChildrenMs(thisSystem) }),
    [Symbol.asyncDispose]: async () => void (await guardian?.catch(() => undefined))?.destroy(),
  }
}

/** @throws {Problem} when servers could not be written down there, or not be ended. */
export function makeStateFolder(stateFolder: string): void {
  requireProcesses()
  try {
    makeFolder(stateFolder)
    accessSync(stateFolder, constants.W_OK)
  } catch (error) {
    throw new Problem(
      'no-server',
      `The folder ${stateFolder}, where started servers are written down, cannot be made or written`,
      {
        hint: 'Set XDG_STATE_HOME to a folder that can be written.',
        cause: error,
      },
    )
  }
}

/** Resolves to our end of its pipe. */
async function startGuardian(stateFolder: string, id: string): Promise<Socket> {
  makeStateFolder(stateFolder)
  const child = spawnDetachedHelper('servers/targets/server/guardian/guardian', [stateFolder, id])
  await untilOnGuard(child)
  if (!(child.stdin instanceof Socket)) throw new Error('The pipe to the guardian is not a socket')
  // Neither the guardian nor the pipe may keep us running, nor may its early end end us.
  child.unref()
  child.stdin.unref()
  child.stdin.on('error', () => undefined)
  return child.stdin
}

/** Until its first message a guardian gets signals as every process does: one of them would end it unnoticed. */
async function untilOnGuard(child: DetachedHelper): Promise<void> {
  await once(child, 'spawn')
  await once(child.stdout, 'readable')
  const word: unknown = child.stdout.read()
  child.stdout.destroy()
  if (word === null)
    throw new Problem('no-server', 'The guardian that stops servers if this process is killed ended before it began', {
      hint: 'Is this machine short of memory or of processes?',
    })
}
