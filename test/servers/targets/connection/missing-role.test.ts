import { expect, test } from 'vitest'
import {
  hintForMissingRole,
  rolesToRead,
  rolesToWrite,
} from '../../../../src/servers/targets/connection/missing-role.ts'

const uri = 'mongodb://perf:perf@h/?authSource=users'
const database = 'mongoperf_a'
const denied = (command: string, on = database): Error =>
  Object.assign(new Error(`not authorized on ${on} to execute command { ${command}, $db: "${on}" }`), { code: 13 })

test.each([
  { command: 'insert: "docs"', roles: rolesToWrite, granted: '[{ role: "readWrite", db: "mongoperf_a" }]' },
  {
    command: 'collMod: "docs"',
    roles: rolesToWrite,
    granted: '[{ role: "readWrite", db: "mongoperf_a" }, { role: "dbAdmin", db: "mongoperf_a" }]',
  },
  { command: 'find: "orders"', on: 'shop', roles: rolesToRead, granted: '[{ role: "read", db: "shop" }]' },
  {
    command: 'find: "system.profile"',
    on: 'shop',
    roles: rolesToRead,
    granted: '[{ role: "read", db: "shop" }, { role: "dbAdmin", db: "shop" }]',
  },
  { command: 'bulkWrite: 1', on: 'admin', roles: rolesToWrite, granted: '[{ role: "readWrite", db: "mongoperf_a" }]' },
])('a command that is not allowed, $command, comes with the roles for it', ({ command, on, roles, granted }) => {
  const hint = hintForMissingRole(denied(command, on), { uri, database, roles })
  expect(hint).toContain(`db.getSiblingDB("users").grantRolesToUser("perf", ${granted})`)
})

const lineFor = (given: string): string | undefined =>
  hintForMissingRole(denied('insert: "a"'), { uri: given, database, roles: rolesToWrite })

test('a user stands in the database of the URI, else in "admin"', () => {
  expect(lineFor('mongodb://a%40b:x@h/shop')).toContain('getSiblingDB("shop").grantRolesToUser("a@b"')
  expect(lineFor('mongodb://ann:x@h/')).toContain('getSiblingDB("admin").grantRolesToUser("ann"')
})

test('without a user a login is missing, and other errors are none of roles', () => {
  const options = { uri: 'mongodb://h/', database, roles: rolesToWrite }
  expect(hintForMissingRole(denied('insert: "a"'), options)).toContain('asks for a login')
  expect(hintForMissingRole(new Error('no'), options)).toBeUndefined()
})
