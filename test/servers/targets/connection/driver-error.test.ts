import { MongoCompatibilityError, MongoMissingDependencyError, MongoNetworkError, MongoServerError } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../../../src/core/errors.ts'
import { CommandError, ConnectionError } from '../../../../src/protocol/wire/wire-error.ts'
import {
  hintForCause,
  isNotImplemented,
  isDriverError,
  messageWithoutSecrets,
  hintForMissingRole,
  rolesToRead,
  rolesToWrite,
} from '../../../../src/servers/targets/connection/driver-error.ts'

describe('what the driver or a connection reports', () => {
  test('is distinguished from problems of ours, from bugs, and from what is no error', () => {
    expect(isDriverError(new MongoNetworkError('closed'))).toBe(true)
    expect(isDriverError(new ConnectionError('closed'))).toBe(true)
    expect(isDriverError(new CommandError({ ok: 0, errmsg: 'not primary' }))).toBe(true)
    expect(isDriverError(new Problem('usage', 'Wrong', { hint: 'Do it right.' }))).toBe(false)
    expect(isDriverError(new TypeError('x is not a function'))).toBe(false)
    expect(isDriverError('MongoNetworkError')).toBe(false)
  })

  test('is passed on without the URI and without the password in it', () => {
    const uri = 'mongodb://me:hush%21@db.example.com/'
    expect(messageWithoutSecrets(new Error(`no answer from ${uri} for hush!`), uri)).toBe('no answer from *** for ***')
  })
})

const wire = (bound: string): Error =>
  new MongoCompatibilityError(`Server at a:1 reports ${bound} wire version 4, but this version of the Node.js Driver …`)
const missing = { cause: new Error('not found'), dependencyName: 'snappy' }
const noSample = { code: 238, errmsg: '`aggregate` stage "$sample" is not implemented yet' }
const noCommand = { code: 59, codeName: 'CommandNotFound', errmsg: "no such command: 'fsync'" }

test.each([
  ['hint-driver-module-missing', new MongoMissingDependencyError('Optional module `snappy` not found', missing)],
  ['hint-server-too-old', wire('maximum')],
  ['hint-server-too-new', wire('minimum')],
  ['hint-server-without-sample', new MongoServerError(noSample)],
  ['hint-server-without-command', new MongoServerError(noCommand)],
])('a cause has a hint of its own: %s', (code, error) => {
  expect(hintForCause(error)).toSay(code)
  expect(isNotImplemented(error)).toBe(code.startsWith('hint-server-without'))
})

test('what may be about address or credentials has no hint of another cause', () => {
  expect(hintForCause(new MongoNetworkError('connect ECONNREFUSED 127.0.0.1:1'))).toBeUndefined()
  expect(hintForCause(new MongoServerError({ code: 18, errmsg: 'Authentication failed.' }))).toBeUndefined()
  expect(hintForCause(new TypeError('x is not implemented'))).toBeUndefined()
})

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
  const lacking = on === 'shop' ? on : database
  const hint = hintForMissingRole(denied(command, on), { uri, database, roles })
  expect(hint).toSay('hint-roles-missing', { lacking, database: 'users', user: 'perf', granted })
})

const lineFor = (given: string): string | undefined =>
  hintForMissingRole(denied('insert: "a"'), { uri: given, database, roles: rolesToWrite })

test('a user stands in the database of the URI, else in "admin"', () => {
  expect(lineFor('mongodb://a%40b:x@h/shop')).toContain('getSiblingDB("shop").grantRolesToUser("a@b"')
  expect(lineFor('mongodb://ann:x@h/')).toContain('getSiblingDB("admin").grantRolesToUser("ann"')
})

test('without a user a login is missing, and other errors are none of roles', () => {
  const options = { uri: 'mongodb://h/', database, roles: rolesToWrite }
  expect(hintForMissingRole(denied('insert: "a"'), options)).toSay('hint-login-missing')
  expect(hintForMissingRole(new Error('no'), options)).toBeUndefined()
})
