import type * as mongodb from 'mongodb'
import { type MongoClient, type MongoClientOptions } from 'mongodb'
import { Problem } from '../../../core/errors.ts'
import { connectTimeout } from '../../../servers/targets/connection/uri-options.ts'

/** A version of the official driver: `import * as mongodb from 'mongodb'`. Handed in, so that two can be compared. */
export type DriverModule = typeof mongodb

/** The driver quotes a URI that it cannot read, password included, so its own words are not passed on. */
export function createClient(driver: DriverModule, uri: string, options: MongoClientOptions): MongoClient {
  try {
    return new driver.MongoClient(uri, { ...connectTimeout(uri), ...knownOptions(driver, options) })
  } catch {
    throw new Problem('usage', 'The driver does not accept the URI of the server or its options', {
      hint: 'Check its spelling; a "/", ":", "@" or "%" in a user name or password must be percent-encoded.',
    })
  }
}

/** A driver without adaptive retries (before 7.2) does none, and refuses an option that it does not know. */
export function knownOptions(driver: DriverModule, options: MongoClientOptions): MongoClientOptions {
  const { maxAdaptiveRetries, ...others } = options
  return maxAdaptiveRetries === undefined || hasAdaptiveRetries(driver) ? options : others
}

function hasAdaptiveRetries({ MongoClient: Client }: DriverModule): boolean {
  try {
    return new Client('mongodb://localhost', { maxAdaptiveRetries: 0 }).options.maxAdaptiveRetries === 0
  } catch {
    return false
  }
}
