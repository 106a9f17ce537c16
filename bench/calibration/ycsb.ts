import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { propertyOptions } from '../go-ycsb.ts'
import { runTool } from './run-tool.ts'
import { type Job, type LoadingTool } from './tool.ts'
import { ycsbFigures } from './ycsb-output.ts'

/** How to get it, for those who have none. */
export const ycsbMissing =
  'no YCSB: unpack release 0.17.0 of its MongoDB binding, have java on the PATH, and set YCSB_CLASSPATH to its "lib/*"; in the release of all bindings it is "lib/*:mongodb-binding/lib/*"'

/** YCSB, by a class path of Java in the variable YCSB_CLASSPATH. Undefined: there is none. */
export async function findYcsb(): Promise<LoadingTool | undefined> {
  const classPath = process.env['YCSB_CLASSPATH']
  if (classPath === undefined || !(await hasJava())) return undefined
  const run = ({ file, properties, server }: Job, ...more: readonly string[]) =>
    runTool('java', ['-cp', classPath, ...client, '-P', file, ...propertyOptions(properties), ...more], server)
  return {
    name: 'YCSB',
    load: async (job) => void (await run(job, '-load')),
    prepare: async (job) => async () => {
      const { seconds } = job
      // Longer than the window, so that its last status line is not that of the end.
      const interval = { 'status.interval': seconds, maxexecutiontime: 2 * seconds + 1 }
      const { stdout, stderr, cpu } = await run(job, '-t', '-s', ...propertyOptions(interval))
      return { figures: ycsbFigures(stdout, stderr), cpu }
    },
  }
}

const client = ['site.ycsb.Client', '-db', 'site.ycsb.db.MongoDbClient']

const hasJava = (): Promise<boolean> =>
  promisify(execFile)('java', ['-version']).then(
    () => true,
    () => false,
  )
