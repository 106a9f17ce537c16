import { closeSuite } from '../verdicts/testing/runner-output.ts'
import { testServer } from '../verdicts/testing/test-server.ts'

/**
 * Starts the server of a whole suite, whose files run in several processes: for `globalSetup` of Vitest and of Jest. Their `testServer()`, and
 * `measure` without `on`, use it. Where MONGO_PERF_TEST_URI names a server already, none is started.
 * @returns a function that stops it, for Vitest. With Jest it is gone with the process of Jest.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const { MONGO_PERF_TEST_URI: given } = process.env
  const { uri, stop } = await testServer()
  process.env['MONGO_PERF_TEST_URI'] = uri
  closeSuite()
  return async () => {
    if (given === undefined) delete process.env['MONGO_PERF_TEST_URI']
    await stop()
  }
}
