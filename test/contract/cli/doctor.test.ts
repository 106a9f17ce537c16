import { mkdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { expect, inject, test } from 'vitest'
import { workplace } from '../support/program.ts'

test('doctor names the mongod on the PATH, starts it, and says why the other sources were not used', async () => {
  await using place = await workplace()
  const bin = path.join(place.folder, 'bin')
  await mkdir(bin)
  await symlink(inject('mongodPath'), path.join(bin, 'mongod'))
  const { code, stdout, stderr } = await place.run(['doctor'], { PATH: bin, MONGOMS_SYSTEM_BINARY: '/nowhere/mongod' })
  expect([code, stderr]).toEqual([0, ''])
  const lines = stdout.split('\n')
  expect(lines).toContainEqual(expect.stringMatching(/^ok {3}mongod \d.* from the source "mongod on the PATH": .*bin/))
  expect(lines).toContainEqual(expect.stringContaining('MONGOMS_SYSTEM_BINARY": /nowhere/mongod does not exist'))
  expect(lines).toContainEqual(expect.stringMatching(/Python package .*: not needed/))
  expect(lines).toContain('ok   a server starts and answers')
  expect(lines).toContainEqual(
    expect.stringMatching(/^ {5}A sharded cluster needs a router, and no mongos was found \(/),
  )
  for (const what of ['CPU', 'memory', 'disk under '])
    expect(stdout).toMatch(
      new RegExp(`limits of a server, ${what}.*: (can be set|The limits of a server cannot be set here: )`),
    )
  expect(stdout).toMatch(/^( {5}|ok {3})cores of their own: \S/m)
  expect(lines).toContain('ok   charts can be drawn')
  expect(lines).toContain('ok   no server is left over from an earlier run')
  expect(stdout).toMatch(/ok {3}\d+ MB free for data in .*\nok {3}\d+ MB of memory free/)
  expect(place.servers()).toEqual([])
})

test('without any mongod, doctor and run say what was tried, and end with 4', async () => {
  await using place = await workplace()
  const bare = { PATH: '', MONGOMS_SYSTEM_BINARY: '', MONGOMS_RUNTIME_DOWNLOAD: 'false' }
  for (const args of [['doctor'], ['run', 'quickstart', '--profile', 'smoke']]) {
    const { code, stdout, stderr } = await place.run(args, bare)
    expect(code).toBe(4)
    const text = stdout + stderr
    expect(text).toContain('No mongod can be started here')
    expect(text).toContain('mongod on the PATH: none there')
    expect(text).toContain('there is no pip')
    expect(text).toContain('Install MongoDB Community Server')
  }
})

test.runIf(process.platform === 'linux')(
  'folders that cannot be made are reported with the variable to set',
  async () => {
    await using place = await workplace()
    const home = await place.run(['doctor'], { HOME: '/proc', XDG_STATE_HOME: '' })
    expect([home.code, home.stderr]).toEqual([4, ''])
    expect(home.stdout).toMatch(/no {3}The folder \/proc\/\.local.* cannot be made or written\n +Set XDG_STATE_HOME/)
    const temp = await place.run(['doctor'], { TMPDIR: '/nonexistent' })
    expect([temp.code, temp.stderr]).toEqual([4, ''])
    expect(temp.stdout).toMatch(/no {3}No folder for temporary files can be made in \/nonexistent .*\n +Set TMPDIR/)
  },
)
