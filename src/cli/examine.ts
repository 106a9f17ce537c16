import { drawChart } from '../report/report.ts'
import { findMongod, type Tried } from '../targets/server/find-mongod.ts'
import { stateFolder, thisMachine } from '../targets/server/machine.ts'
import { systemResources } from '../targets/server/preflight.ts'
import { listServers } from '../targets/server/state.ts'
import { Problem } from '../errors.ts'
import { driverVersion, toolVersion } from '../versions.ts'

export type Finding = {
  readonly ok: boolean
  readonly text: string
  /** Without it no embedded server can be measured. */
  readonly needed?: boolean
}

/** What a run would meet on this machine. */
export async function examine({ env, signal, mongod }: { readonly env: Readonly<Record<string, string | undefined>>; readonly signal: AbortSignal; readonly mongod?: string | undefined }): Promise<readonly Finding[]> {
  const machine = thisMachine(env)
  return [
    { ok: true, text: `mongo-perf ${toolVersion()}, driver ${driverVersion()}, Node ${process.version}` },
    ...(await examineMongod(machine, signal, mongod)),
    ...(await examineRoom(machine.tempFolder)),
    await examineCharts(),
    examineServers(stateFolder(machine)),
  ]
}

async function examineMongod(machine: ReturnType<typeof thisMachine>, signal: AbortSignal, binary: string | undefined): Promise<readonly Finding[]> {
  const told = ({ source, reason }: Tried): Finding => ({ ok: false, text: `  ${source}: ${reason}` })
  try {
    const found = await findMongod({ binary }, { machine, signal, log: () => {} })
    return [{ ok: true, text: `mongod ${found.version} from ${found.source}: ${found.path}` }, ...found.tried.map(told)]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [{ ok: false, needed: true, text: error.message }, { ok: false, text: error.hint }]
  }
}

async function examineRoom(folder: string): Promise<readonly Finding[]> {
  const [{ freeMB }, memoryMB, files] = await Promise.all([systemResources.disk(folder), systemResources.memoryMB(), systemResources.fileDescriptors()])
  return [
    { ok: freeMB > 2048, text: `${Math.round(freeMB)} MB free for data in ${folder}` },
    { ok: memoryMB > 1024, text: `${Math.round(memoryMB)} MB of memory free for caches` },
    ...(files === undefined ? [] : [{ ok: files >= 4096, text: `${files} file descriptors` }]),
  ]
}

async function examineCharts(): Promise<Finding> {
  try {
    const png = await drawChart({ width: 200, height: 100, chart: { type: 'bar', data: { labels: ['a'], datasets: [{ data: [1] }] } }, caption: '', ticks: {}, marks: [] })
    return { ok: png.length > 0, text: 'charts can be drawn' }
  } catch (error) {
    return { ok: false, text: `charts cannot be drawn: ${error instanceof Error ? error.message : String(error)}` }
  }
}

function examineServers(folder: string): Finding {
  const count = listServers(folder).length
  return count === 0 ? { ok: true, text: 'no server of ours is left over' } : { ok: false, text: `${count} servers of ours are written down as running; \`mongo-perf clean\` ends those whose run is gone` }
}
