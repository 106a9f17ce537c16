import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const program = process.env['GO_YCSB'] ?? 'go-ycsb'

/**
 * go-ycsb, by the variable GO_YCSB or on the PATH. To build it with Go, in an empty folder:
 * `go mod init tools && go get github.com/pingcap/go-ycsb@v1.0.1 && go build -mod=mod -o go-ycsb github.com/pingcap/go-ycsb/cmd/go-ycsb`
 * @returns Its program. Undefined: there is none.
 */
export async function findGoYcsb(): Promise<string | undefined> {
  try {
    await promisify(execFile)(program, ['--help'])
    return program
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Properties of YCSB, by their names. */
export type Properties = Readonly<Record<string, string | number>>

/** Properties as options of a command line, which YCSB, go-ycsb and mongo-perf write in the same way. */
export const propertyOptions = (properties: Properties): readonly string[] =>
  Object.entries(properties).flatMap(([name, value]) => ['-p', `${name}=${value}`])

/** The arguments of go-ycsb. Its profiler would listen on all interfaces. */
export const goYcsbArguments = (command: 'load' | 'run', properties: Properties): readonly string[] => [
  command,
  'mongodb',
  ...propertyOptions({ ...properties, 'debug.pprof': '127.0.0.1:0' }),
]

/** Summary that go-ycsb prints of one kind of operations. */
export type GoYcsbSummary = {
  /** Name as YCSB spells it, such as READ-MODIFY-WRITE; with "-ERROR" those that failed. */
  readonly kind: string
  readonly seconds: number
  readonly count: number
  readonly opsPerSecond: number
  readonly p99Us: number
}

const summaryLine = /^(\w+) +- Takes\(s\): ([\d.]+), Count: (\d+), OPS: ([\d.]+),.* 99th\(us\): (\d+),/gm

/** Reads the summary at the end of what go-ycsb prints; there are others while it runs. */
export function goYcsbSummary(output: string): readonly GoYcsbSummary[] {
  const end = output.slice(output.indexOf('\nRun finished'))
  return [...end.matchAll(summaryLine)].map(([, kind = '', ...figures]) => {
    const [seconds = 0, count = 0, opsPerSecond = 0, p99Us = 0] = figures.map(Number)
    return { kind: kind.replaceAll('_', '-'), seconds, count, opsPerSecond, p99Us }
  })
}
