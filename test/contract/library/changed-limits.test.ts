import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { run, type RunEvent } from '../../../src/entries/index.ts'
import { startTarget, targetSpec } from '../../../src/servers/targets/index.ts'
import { listServers, type ServerRecord } from '../../../src/servers/targets/server/guardian/state.ts'
import { resolveLimits } from '../../../src/servers/targets/server/limits/server-limits.ts'
import { fail } from '../../fakes/fail.ts'
import { whyNoLimits } from '../support/limits-here.ts'
import { startContext } from '../support/start-context.ts'

const reason = await whyNoLimits()

/** What the kernel holds a server to, without the number of the disk. */
function heldTo({ groups }: ServerRecord): Readonly<Record<string, string>> {
  const files = ['cpu.cfs_quota_us', 'blkio.throttle.read_iops_device', 'blkio.throttle.write_iops_device']
  const there = groups
    .flatMap((group) => files.map((file) => path.join(group, file)))
    .filter((file) => existsSync(file))
  return Object.fromEntries(
    there.map((file) => [path.basename(file), readFileSync(file, 'utf8').trim().replace(/^.* /, '')]),
  )
}

const isOfServers = (line: string): boolean => !line.startsWith('mongosh')

describe.skipIf(reason !== undefined)(`changed limits${reason === undefined ? '' : ` (not tried: ${reason})`}`, () => {
  test('rows that differ in limits of CPU and disk share a server and its data, and each is held to its own', async () => {
    await using context = await startContext()
    const state = context.tempFolder
    const servers: ServerRecord[] = []
    const held: ReturnType<typeof heldTo>[] = []
    const shown: (readonly string[])[] = []
    const onProgress = (event: RunEvent): void => {
      if (event.kind === 'ready') shown.push(event.commands)
      if (event.kind !== 'row') return
      const [server = fail('no server')] = listServers(path.join(state, 'mongo-perf', 'servers'))
      servers.push(server)
      held.push(heldTo(server))
    }
    const limits = [{ cpus: 0.9, readIops: 500 }, { readIops: 900, writeIops: 700 }, {}, { memoryMB: 512 }]
    const { variants } = await run(
      {
        name: 'changed-limits',
        target: {
          kind: 'standalone',
          server: { limits: { '@param': 'limits' } },
          facts: { iops: { '@param': 'limits.readIops' } },
        },
        variants: { limits },
        data: [{ collection: 'items', rows: 50, reuse: true, document: { n: { '@row': {} } } }],
        phases: [{ name: 'read', stopAfter: { operations: 5 }, operations: [{ kind: 'findOne', filter: {} }] }],
      },
      { env: { ...process.env, MONGOMS_SYSTEM_BINARY: inject('mongodPath'), XDG_STATE_HOME: state }, onProgress },
    )

    const [first, second, third, last] = servers.map(({ pid }) => pid)
    expect([second, third]).toEqual([first, first])
    expect(last).not.toBe(first)
    expect(variants.map(({ data: [items] }) => items?.source)).toEqual(['generated', 'kept', 'kept', 'generated'])
    expect(variants.map(({ server }) => server?.limits)).toMatchObject(limits.map((each) => resolveLimits(each)))
    expect(variants.map(({ server }) => server?.limits?.cpuPeriodMs ?? null)).toEqual([10, null, null, null])
    const none = { 'blkio.throttle.read_iops_device': '', 'blkio.throttle.write_iops_device': '' }
    expect(held).toEqual([
      { ...none, 'cpu.cfs_quota_us': '9000', 'blkio.throttle.read_iops_device': '500' },
      {
        'cpu.cfs_quota_us': '-1',
        'blkio.throttle.read_iops_device': '900',
        'blkio.throttle.write_iops_device': '700',
      },
      { ...none, 'cpu.cfs_quota_us': '-1' },
      {},
    ])
    expect(variants.map(({ commands }) => commands.filter(isOfServers))).toEqual(shown)
    expect(variants.map(({ commands }) => commands.length - commands.filter(isOfServers).length)).toEqual([1, 0, 0, 1])
    const settings = shown.map((lines) =>
      lines.flatMap((line) => /^echo .*?(\S+?)'? > .*_iops_device$/.exec(line)?.[1] ?? []),
    )
    expect(settings).toEqual([['500'], ['900', '700'], [], []])
    // Each row's commands start the server by themselves.
    expect(shown.slice(0, 3).map((lines) => lines.at(-1))).toEqual(Array(3).fill(shown[0]?.at(-1)))
    expect(servers.flatMap(({ groups }) => groups).filter((group) => existsSync(group))).toEqual([])
  })

  test('each member of a set gets its own limits, and what the kernel refuses is told', async () => {
    await using context = await startContext()
    const spec = targetSpec.parse({
      kind: 'replicaSet',
      members: [{ arbiter: true, server: { limits: {} } }, {}],
      server: { limits: { readIops: 500 } },
    })
    await using target = await startTarget(spec, context)
    const limits = resolveLimits({ readIops: 900 })
    const changed = await target.changeLimits?.([null, limits])
    expect(changed?.members).toEqual([{ ...target.members[0], limits }])
    expect(changed?.commands.at(-1)).toBe(target.commands.at(-1))
    const held = listServers(context.stateFolder).map((server) => [server.name, heldTo(server)])
    expect(Object.fromEntries(held)).toMatchObject({
      member0: {},
      member1: { 'blkio.throttle.read_iops_device': '900' },
    })
    const refused = target.changeLimits?.([null, resolveLimits({ readIops: NaN })])
    await expect(refused).rejects.toSay('limits-kernel-refused')
  })
})
