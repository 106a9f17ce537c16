import { expect, test } from 'vitest'
import { readUris, urisIn } from '../../src/cli/options/uris.ts'

test('a URI of the command line goes before that of the environment', () => {
  const env = {
    MONGO_PERF_URI: 'mongodb://env/',
    MONGO_PERF_URI_FAST: 'mongodb://fast-env/',
    OTHER: 'mongodb://other/',
  }
  const uris = readUris(['mongodb://given/', 'fast=mongodb+srv://fast/'], env)
  expect(uris.replacement).toBe('mongodb://given/')
  expect(uris.get('MONGO_PERF_URI')).toBe('mongodb://given/')
  expect(uris.get('MONGO_PERF_URI_FAST')).toBe('mongodb+srv://fast/')
  expect(uris.get('OTHER')).toBeUndefined()
  expect(uris.givenAs).toEqual({ MONGO_PERF_URI: '--uri', MONGO_PERF_URI_FAST: '--uri fast' })
})

test('a variable alone replaces no target, and an empty one is none', () => {
  const uris = readUris([], { MONGO_PERF_URI: 'mongodb://env/', MONGO_PERF_URI_EMPTY: '' })
  expect(uris.replacement).toBeUndefined()
  expect(uris.get('MONGO_PERF_URI')).toBe('mongodb://env/')
  expect(uris.get('MONGO_PERF_URI_EMPTY')).toBeUndefined()
  expect(uris.givenAs).toEqual({})
})

test('what is not a URI is refused without being quoted', () =>
  expect(() => readUris(['hunter2'], {})).toSay('uri-option-unreadable'))

test('every URI that a process was given is known, also in a wrong place', () => {
  const args = ['node', 'main.js', 'run', '--url=mongodb://a:b@h/', 'fast=mongodb+srv://c:d@h/']
  expect(urisIn(args, { MONGO_PERF_URI_X: 'mongodb://e:f@h/', HOME: '/root' })).toEqual([
    'mongodb://a:b@h/',
    'mongodb+srv://c:d@h/',
    'mongodb://e:f@h/',
  ])
})

test('URIs between commas in one argument are known one by one, each with all of its hosts', () => {
  const seeds = 'mongodb://a:pw1@h1:1,h2:2/?replicaSet=x'
  const single = 'mongodb+srv://b:pw2@h3/'
  expect(urisIn([`--uri=small=${seeds},large=${single}`], {})).toEqual([seeds, single])
})
