import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { packTool } from './pack-tool.ts'

const source = fileURLToPath(new URL('../../fixtures/example-app', import.meta.url))

/** A suite of the example app, by its runner. */
export type Suite = 'vitest' | 'node' | 'jest' | 'commonjs'
/** Code that its suites test: "broken" has one regression for each. */
export type Shop = 'fixed' | 'broken'

type Environment = Readonly<Record<string, string | undefined>>

/** How a suite ended, and what its runner printed. */
export type SuiteRun = { readonly passed: boolean; readonly printed: string }

/** The example app in a folder of its own, with the packed tool. Disposing removes it. */
export type InstalledApp = AsyncDisposable & {
  readonly folder: string
  /**
   * @param env Beside that of this process: such as MONGO_PERF_TEST_URI.
   * @param args For the test runner. Default: none.
   */
  readonly run: (suite: Suite, shop: Shop, env: Environment, args?: readonly string[]) => Promise<SuiteRun>
}

/**
 * Installs the example app as its users would, from the registry of npm. Needs `npm run build`.
 * @param options Of `npm install`. Default: none.
 */
export async function installExampleApp(options: readonly string[] = []): Promise<InstalledApp> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-test-'))
  await cp(source, folder, { recursive: true, filter: (file) => path.basename(file) !== 'node_modules' })
  const packed = await packTool(folder)
  const inFolder = (args: readonly string[], env: Environment) =>
    promisify(execFile)('npm', args, { cwd: folder, env: { ...ofShell(process.env), ...env } })
  await inFolder(['install', '--no-save', packed, '--prefer-offline', '--no-audit', '--no-fund', ...options], {})
  return {
    folder,
    async run(suite, shop, env, args = []) {
      const given = {
        SHOP: shop,
        MONGO_PERF: 'quick',
        NO_COLOR: '1',
        XDG_STATE_HOME: path.join(folder, 'state'),
        ...env,
      }
      return await inFolder(['run', `test:${suite}`, '--', ...args], given).then(
        ({ stdout, stderr }) => ({ passed: true, printed: stdout + stderr }),
        ({ stdout, stderr }) => ({ passed: false, printed: stdout + stderr }),
      )
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** Without what a test runner adds for tests of its own: another runner would take itself for one of its workers. */
const ofShell = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^(VITEST|JEST|TEST$|NODE_ENV$)/.test(name)))
