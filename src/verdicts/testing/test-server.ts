import { withHints } from '../../core/errors.ts'
import { thisMachine } from '../../servers/machine.ts'
import { printNote } from './runner-output.ts'

/** A server for a test suite: a replica set of one member on this machine, with a small cache. */
export type TestServer = {
  readonly uri: string
  /** Stops it and removes its data. It is also stopped when this process ends, however it ends. */
  readonly stop: () => Promise<void>
}

let running: Promise<TestServer> | undefined

/**
 * The server of this suite: started when it is asked for first, and shared by all who ask.
 * @param env Where binaries are looked for. MONGO_PERF_TEST_URI names a server that runs already: that of a whole suite whose files run in several processes.
 * @throws {Problem} "no-server" when no `mongod` is found or it does not start.
 */
export function testServer(env: Readonly<Record<string, string | undefined>> = process.env): Promise<TestServer> {
  const { MONGO_PERF_TEST_URI: uri } = env
  running ??= uri === undefined ? startTestServer(env) : Promise.resolve({ uri, stop: async () => {} })
  const started = running
  return withHints(() => started)()
}

/** Programs that are being fetched. */
const announced = new Set<string>()

async function startTestServer(env: Readonly<Record<string, string | undefined>>): Promise<TestServer> {
  printNote('starting a mongod for these tests. To use one that runs, set MONGO_PERF_TEST_URI.')
  // One after the other: Jest cannot link modules that are imported at the same time and share others.
  const { createStartContext } = await import('../../servers/targets/start/start-context.ts')
  const { startTarget, targetSpec } = await import('../../servers/targets/index.ts')
  const context = createStartContext({
    machine: thisMachine(env),
    uri: () => undefined,
    allowRemote: false,
    signal: new AbortController().signal,
    log: () => {},
    // The time limit of a test runner may pass meanwhile.
    onFetch: ({ what, megabytes, share }) => {
      if (share !== 1 && !announced.has(what)) printNote(`fetching ${what}, ${megabytes.toFixed(0)} MB, once`)
      announced.add(what)
    },
  })
  try {
    const target = await startTarget(
      targetSpec.parse({ kind: 'replicaSet', members: 1, server: { cacheGB: 0.25 } }),
      context,
    )
    return {
      uri: target.uri,
      async stop() {
        running = undefined
        await target[Symbol.asyncDispose]()
        await context[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    running = undefined
    await context[Symbol.asyncDispose]()
    throw error
  }
}
