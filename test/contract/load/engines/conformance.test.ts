import { beforeAll, describe, expect, test } from 'vitest'
import { sharedPrimary } from '../../support/shared-servers.ts'
import { type Case, type Seen, seenBy, type Sender, senders } from './both-engines.ts'
import { reads } from './reads.ts'
import { transactions } from './transactions.ts'
import { largeWrites, writes } from './writes.ts'

const server = sharedPrimary()

/**
 * Differences that stay, as none of them changes a count or what is stored:
 * - Where a connection breaks, the driver names it by a number of its own.
 * - A single document of more than 16 MiB is refused by another code: the driver sends it inside of the command.
 * - The driver labels some errors "ResetPool", which is about its pool.
 * - An aggregate that writes, without acknowledgement, is an error of the driver's own; here it is done and replied to.
 * - Documents that are read are counted and not decoded: one that is no BSON inside is an error of the driver's.
 */
const tables: Readonly<Record<string, Readonly<Record<string, Case>>>> = { reads, writes, largeWrites, transactions }

describe.each(Object.entries(tables))('%s', (prefix, cases) => {
  const seen = new Map<Sender, ReadonlyMap<string, Seen>>()

  beforeAll(async () => {
    for (const sender of senders) seen.set(sender, await seenBy(sender, prefix, server.uri, server.client, cases))
  })

  test.each(Object.keys(cases))('%s is the same through both engines', (name) => {
    const byDriver = seen.get('driver')?.get(name)
    expect(byDriver).toBeDefined()
    expect(seen.get('wire')?.get(name), 'with values of JavaScript').toEqual(byDriver)
    expect(seen.get('encoded')?.get(name), 'with values that are BSON').toEqual(byDriver)
  })
})
