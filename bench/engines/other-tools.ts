import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Cost } from '../benchmark.ts'
import { findGoYcsb, goYcsbArguments, goYcsbSummary } from '../go-ycsb.ts'
import { type Side, type SideLoad } from './side.ts'

const run = promisify(execFile)

/** go-ycsb with its workload C: reads by a uniform key of records of 10 fields of 100 bytes. Undefined where there is none. */
export async function startGoYcsb({ uri, workers, keys }: SideLoad): Promise<Side | undefined> {
  const goYcsb = await findGoYcsb()
  if (goYcsb === undefined) return undefined
  const ofServer = new URL(uri)
  ofServer.pathname = '/ycsb'
  const records = { recordcount: keys, fieldcount: 10, fieldlength: 100, threadcount: workers }
  const reads = { readproportion: 1, updateproportion: 0, requestdistribution: 'uniform' }
  const properties = { 'mongodb.url': ofServer.href, ...records, ...reads }
  await run(goYcsb, goYcsbArguments('load', properties))
  return {
    async measure(operationcount) {
      const args = goYcsbArguments('run', { ...properties, operationcount })
      // The shell knows what CPU its children took, and Node does not.
      return costFrom((await run('sh', ['-c', '"$@"; times', 'sh', goYcsb, ...args])).stdout)
    },
    async [Symbol.asyncDispose]() {},
  }
}

/** User and system time, of the children in the last line. */
const times = /(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/

function costFrom(output: string): Cost {
  const reads = goYcsbSummary(output).find(({ kind }) => kind === 'READ')
  const [, userMinutes, user, systemMinutes, system] = (times.exec(output) ?? []).map(Number)
  if (!reads?.count || user === undefined || system === undefined)
    throw new Error(`go-ycsb has not printed what it took:\n${output}`)
  const cpuSeconds = ((userMinutes ?? 0) + (systemMinutes ?? 0)) * 60 + user + system
  return { wallUs: 1e6 / reads.opsPerSecond, cpuUs: (cpuSeconds * 1e6) / reads.count }
}
