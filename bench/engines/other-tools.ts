import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Cost } from '../benchmark.ts'
import { type Side, type SideLoad } from './side.ts'

const run = promisify(execFile)
const goYcsb = process.env['GO_YCSB'] ?? 'go-ycsb'

/**
 * go-ycsb with its workload C: reads by a uniform key of records of 10 fields of 100 bytes. Undefined where there is none.
 *
 * The variable GO_YCSB names its program, unless it is on the PATH. To build it with Go, in an empty folder:
 * `go mod init tools && go get github.com/pingcap/go-ycsb@v1.0.1 && go build -mod=mod -o go-ycsb github.com/pingcap/go-ycsb/cmd/go-ycsb`
 */
export async function startGoYcsb({ uri, workers, keys }: SideLoad): Promise<Side | undefined> {
  const ofServer = new URL(uri)
  ofServer.pathname = '/ycsb'
  const records = { recordcount: keys, fieldcount: 10, fieldlength: 100, threadcount: workers }
  const reads = { readproportion: 1, updateproportion: 0, requestdistribution: 'uniform' }
  const properties = { 'mongodb.url': ofServer.href, ...records, ...reads }
  try {
    await run(goYcsb, ['load', 'mongodb', ...written(properties)])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return {
    async measure(operationcount) {
      const words = ['run', 'mongodb', ...written({ ...properties, operationcount })]
      // The shell knows what CPU its children took, and Node does not.
      return costFrom((await run('sh', ['-c', '"$@"; times', 'sh', goYcsb, ...words])).stdout)
    },
    async [Symbol.asyncDispose]() {},
  }
}

const written = (properties: Readonly<Record<string, string | number>>): readonly string[] =>
  Object.entries(properties).flatMap(([name, value]) => ['-p', `${name}=${value}`])

const reads = /^READ +- .*Count: (\d+), OPS: ([\d.]+)/m
/** User and system time, of the children in the last line. */
const times = /(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/

function costFrom(output: string): Cost {
  const [, count, perSecond] = (reads.exec(output) ?? []).map(Number)
  const [, userMinutes, user, systemMinutes, system] = (times.exec(output) ?? []).map(Number)
  if (!count || !perSecond || user === undefined || system === undefined)
    throw new Error(`go-ycsb has not said what it took:\n${output}`)
  const cpuSeconds = ((userMinutes ?? 0) + (systemMinutes ?? 0)) * 60 + user + system
  return { wallUs: 1e6 / perSecond, cpuUs: (cpuSeconds * 1e6) / count }
}
