import { describe, expect, test } from 'vitest'
import { readServers, withFacts, readUris, urisIn } from '../../src/cli/options/servers.ts'
import { runCommandLine, runRefused } from '../fakes/fake-cli-context.ts'

const seeds = 'mongodb://a:pw1@h1:1,h2:2/?replicaSet=x'
const single = 'mongodb+srv://b:pw2@h3/'

test('servers stand between commas, and so do the hosts of one URI', () => {
  const servers = readServers([`small=${seeds},large=${single}`, 'more=mongodb://h4'])
  expect(servers).toEqual([
    { name: 'small', uriFrom: 'MONGO_PERF_URI_SMALL', uri: seeds },
    { name: 'large', uriFrom: 'MONGO_PERF_URI_LARGE', uri: single },
    { name: 'more', uriFrom: 'MONGO_PERF_URI_MORE', uri: 'mongodb://h4' },
  ])
  const uris = readUris([], { MONGO_PERF_URI_SMALL: 'mongodb://other' }, servers)
  expect(uris.get('MONGO_PERF_URI_SMALL')).toBe(seeds)
  expect(uris.all).toContain(single)
  expect(uris.givenAs).toMatchObject({ MONGO_PERF_URI_SMALL: '--servers small' })
})

test('names alone stand for the URIs of their variables', () => {
  const servers = readServers(['small,large'])
  expect(servers.map(({ name, uri }) => [name, uri])).toEqual([
    ['small', undefined],
    ['large', undefined],
  ])
  expect(readUris([], { MONGO_PERF_URI_LARGE: single }, servers).get('MONGO_PERF_URI_LARGE')).toBe(single)
})

test('a server has one URI', () => {
  const twice = () => readUris([`small=${single}`], {}, readServers([`small=${seeds}`]))
  expect(twice).toSay('servers-uri-twice', { server: 'small' })
  expect(readUris([`small=${single}`], {}, readServers(['small'])).get('MONGO_PERF_URI_SMALL')).toBe(single)
})

test('the URIs of all servers of one option are known as secrets', () => {
  expect(urisIn([`--servers=small=${seeds},large=${single}`], {})).toEqual([seeds, single])
})

test.each([
  [['small=hunter2'], 'servers-unreadable'],
  [[seeds], 'servers-unreadable'],
  [[`a=${seeds}`, `A=${single}`], 'servers-named-twice'],
])('wrong servers are refused without being quoted: %j', (given, code) => {
  expect(() => readServers(given)).toSay(code)
})

test('facts are JSON where they read as such, else texts', () => {
  const given = ['small.pricePerHour=0.5', 'small.disk=gp3', 'large.fast=true', 'large.note=a=b']
  expect(withFacts(readServers(['small,large']), given).map(({ facts }) => facts)).toEqual([
    { pricePerHour: 0.5, disk: 'gp3' },
    { fast: true, note: 'a=b' },
  ])
})

test('facts of a server that is not there are refused with the names of those that are', () => {
  const servers = readServers(['small,large'])
  for (const text of ['smal.disk=1', 'disk=1', 'small=1'])
    expect(() => withFacts(servers, [text])).toSay('facts-of-unknown-server', { fact: text })
  expect(() => withFacts([], ['small.disk=1'])).toSay('facts-without-servers')
})

describe('the command line', () => {
  const servers = ['--servers', 'small,large']

  test('checks a spec on servers without contacting any', async () => {
    const { code, stdout } = await runCommandLine(['check', 'quickstart', ...servers])
    expect(code).toBe(0)
    expect(stdout).toHaveLine('check-server', { server: 'large', variable: 'MONGO_PERF_URI_LARGE' })
  })

  test('refuses other targets, and figures of one server', async () => {
    for (const more of [['--uri', 'mongodb://h'], ['--target', 'existing'], ['--reference']])
      expect(await runCommandLine(['run', 'quickstart', ...servers, ...more])).toMatchObject({ code: 2 })
  })

  test('names the variables of servers that have no URI', async () => {
    expect(await runRefused(['run', 'quickstart', ...servers])).toSay('servers-uris-not-set')
  })
})
