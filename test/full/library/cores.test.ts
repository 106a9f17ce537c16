import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { type RunEvent, type SpecInput, run } from '../../../src/entries/index.ts'
import { collectEnvironmentFacts } from '../../../src/report/prose/environment.ts'
import { parseCoreList } from '../../../src/servers/machine.ts'
import { onCoresOfClient, readAllowedCores, whyNoTaskset } from '../../../src/servers/targets/cores/cores-here.ts'
import { startTarget, targetSpec } from '../../../src/servers/targets/index.ts'
import { listServers } from '../../../src/servers/targets/server/guardian/state.ts'
import { whyNoLimits } from '../../contract/support/limits-here.ts'
import { startContext } from '../../contract/support/start-context.ts'

const allowed = (await readAllowedCores('/')) ?? []
const [first = 0, second = 1] = allowed
const reason = allowed.length < 2 ? 'this machine has fewer than two cores' : await whyNoTaskset(allowed)
const noLimits = await whyNoLimits()

/** The cores that each thread of a process may use, every list once. Threads of a server end at any time. */
function coresOfThreads(pid: number | 'self'): readonly string[] {
  const lists = readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    try {
      const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8')
      return /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? []
    } catch {
      return []
    }
  })
  return [...new Set(lists)]
}

const env = { ...process.env, MONGOMS_SYSTEM_BINARY: inject('mongodPath') }

const reading = (target: SpecInput['target'], phase: object = {}): SpecInput => ({
  name: 'cores',
  target,
  data: { collection: 'items', rows: 50, document: { _id: { '@row': {} } } },
  phases: [
    {
      name: 'read',
      load: { kind: 'closed', workers: 2, threads: 2 },
      stopAfter: { seconds: 2 },
      operations: [{ kind: 'findOne', filter: { _id: { '@key': {} } } }],
      ...phase,
    },
  ],
})

describe.skipIf(reason !== undefined)(`cores${reason === undefined ? '' : ` (not tried: ${reason})`}`, () => {
  const before = coresOfThreads('self')

  test('client and server run on theirs during a phase, and the client on all of them afterwards', async () => {
    await using context = await startContext()
    const state = context.tempFolder
    const seen: { readonly client: readonly string[]; readonly servers: readonly string[] }[] = []
    const onProgress = (event: RunEvent): void => {
      if (event.kind !== 'phase') return
      const servers = listServers(path.join(state, 'mongo-perf', 'servers'))
      seen.push({ client: coresOfThreads('self'), servers: servers.flatMap(({ pid }) => coresOfThreads(pid)) })
    }
    const target = { kind: 'standalone', cores: 'apart' } as const
    const result = await run(reading(target), { env: { ...env, XDG_STATE_HOME: state }, onProgress })

    const [row] = result.variants
    const pinned = row?.server?.pinnedCores
    if (!pinned) throw new Error('Nothing was pinned')
    expect([...pinned.client, ...pinned.servers]).toEqual(allowed)
    expect(row.server?.cores).toBe(pinned.servers.length)
    expect(row.warnings).toEqual([])
    expect(seen.length).toBeGreaterThan(0)
    for (const { client, servers } of seen) {
      expect(client.map(parseCoreList)).toEqual([pinned.client])
      expect(servers.map(parseCoreList)).toEqual([pinned.servers])
    }
    expect(row.commands.some((line) => /^taskset -c \S+ \S+ .*--dbpath=/.test(line))).toBe(true)
    expect(collectEnvironmentFacts(result)).toContainEqual({
      name: 'Cores',
      value: expect.stringMatching(/^client .*; servers /),
    })
    expect(coresOfThreads('self')).toEqual(before)
  })

  test('a run that is aborted puts back the cores of the client', async () => {
    await using context = await startContext()
    const stop = new AbortController()
    const during: (readonly string[])[] = []
    const onProgress = (event: RunEvent): void => {
      if (event.kind !== 'phase') return
      during.push(coresOfThreads('self'))
      stop.abort()
    }
    const target = { kind: 'standalone', cores: 'apart' } as const
    const options = { env: { ...env, XDG_STATE_HOME: context.tempFolder }, onProgress, signal: stop.signal }
    const { status } = await run(reading(target, { stopAfter: { seconds: 60 } }), options)
    expect(status).toBe('aborted')
    expect(during[0]).toEqual([String(first)])
    expect(coresOfThreads('self')).toEqual(before)
  })

  test('work that fails puts back the cores of the client', async () => {
    const during: (readonly string[])[] = []
    const work = onCoresOfClient({ client: [second], servers: [first] }, async () => {
      during.push(coresOfThreads('self'))
      throw new Error('as planned')
    })
    await expect(work).rejects.toThrow('as planned')
    expect(during).toEqual([[String(second)]])
    expect(coresOfThreads('self')).toEqual(before)
  })

  test('a server that is brought back runs on the cores of the servers, and so do the proxies of links', async () => {
    await using context = await startContext()
    const spec = targetSpec.parse({
      kind: 'replicaSet',
      members: 1,
      cores: 'apart',
      links: [{ from: ['client'], to: [0], rttMs: 0 }],
    })
    await using target = await startTarget(spec, context)
    const [member] = target.processes ?? []
    await member?.kill()
    await member?.restart()
    const servers = listServers(context.stateFolder)
    expect(servers.map(({ program = 'mongod' }) => program).toSorted()).toEqual(['mongod', 'proxy'])
    for (const { pid } of servers) expect(coresOfThreads(pid).map(parseCoreList)).toEqual([allowed.slice(1)])
  })

  test.skipIf(noLimits !== undefined)('a server with limits runs in its groups and on its cores', async () => {
    await using context = await startContext()
    const spec = { kind: 'standalone', cores: 'apart', server: { limits: { cpus: 0.5 } } }
    await using target = await startTarget(targetSpec.parse(spec), context)
    const [server] = listServers(context.stateFolder)
    const [group = ''] = server?.groups ?? []
    expect(readFileSync(path.join(group, 'cgroup.procs'), 'utf8')).toBe(`${server?.pid}\n`)
    expect(coresOfThreads(server?.pid ?? 'self').map(parseCoreList)).toEqual([allowed.slice(1)])
    const changed = await target.changeLimits?.([null])
    expect(changed?.cores).toEqual({ client: [first], servers: allowed.slice(1) })
  })

  test.skipIf(noLimits !== undefined)('"apart" where a limit takes all cores runs on all, with a warning', async () => {
    await using context = await startContext()
    const target = {
      kind: 'standalone',
      cores: 'apart',
      server: { limits: { cpus: allowed.length } },
    } as const
    const options = { env: { ...env, XDG_STATE_HOME: context.tempFolder } }
    const { variants } = await run(reading(target, { stopAfter: { operations: 20 } }), options)
    expect(variants[0]?.server?.pinnedCores).toBeNull()
    expect(variants[0]?.warnings).toMatchObject([{ code: 'cores-shared', message: expect.stringContaining('need') }])
    expect(coresOfThreads('self')).toEqual(before)
  })
})
