import { accessSync, constants } from 'node:fs'
import path from 'node:path'

/** A mongos, or a program that sends what one sends. */
const candidates = [process.env['MONGO_PERF_MONGOS'], '../shared/tools/stand-in-mongos.mjs']

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const found = candidates.find((file) => file !== undefined && file !== '' && isExecutable(file))

/** What routers are started from, for tests. Undefined: nothing is there. */
export const routerHere = found === undefined ? undefined : path.resolve(found)

/** For the name of a test that is skipped. */
export const whyNoRouter = routerHere === undefined ? ' (not tried: no mongos, set MONGO_PERF_MONGOS)' : ''
