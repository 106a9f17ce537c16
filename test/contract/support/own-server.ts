import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, inject } from 'vitest'
import { startTestMongod, type TestMongod } from '../../../bench/start/mongod.ts'
import { fail } from '../../fakes/fail.ts'

/** A server that no other file of tests uses, with a client. It stands before the first test, and is gone after the last. */
export function ownServer(args: readonly string[] = []): { readonly uri: string; readonly client: MongoClient } {
  let started: { readonly mongod: TestMongod; readonly client: MongoClient } | undefined
  beforeAll(async () => {
    const mongod = await startTestMongod(inject('mongodPath'), args)
    started = { mongod, client: new MongoClient(mongod.uri) }
  })
  afterAll(async () => {
    await started?.client.close()
    await started?.mongod[Symbol.asyncDispose]()
  })
  const standing = () => started ?? fail('The server is there only while tests run')
  return {
    get uri() {
      return standing().mongod.uri
    },
    get client() {
      return standing().client
    },
  }
}
