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
  const version = String(/ mongod (\d\S*)/.exec(stdout)?.[1])
  expect(stdout).toHaveLine('doctor-mongod-on-path', { version, binary: path.join(bin, 'mongod') })
  expect(stdout).toMatch(/Python package .*: not needed/)
  const findings = /^ok +|: (?:can be set|The .* cannot be set here: .*)$|(?<=cores): \S.*$/gm
  const labels = stdout.replaceAll(findings, '')
  for (const what of ['CPU', 'memory', `disk under ${place.temp}`]) expect(labels).toHaveLine('doctor-limits', { what })
  expect(labels).toHaveLine('doctor-cores')
  expect(stdout).toHaveLine('doctor-binary-missing', { binary: '/nowhere/mongod' })
  expect(stdout).toHaveLine('doctor-server-starts')
  expect(stdout).toHaveLine('doctor-no-mongos')
  expect(stdout).toHaveLine('doctor-charts-drawn')
  expect(stdout).toHaveLine('doctor-nothing-left')
  expect(stdout).toMatch(/^(?:ok  |no  ) other programs use \d+ % of the CPU/m)
  const masked = stdout.replaceAll(/[\d,]+(?= MB)/g, 'N')
  expect(masked).toHaveLine('doctor-disk-free', { folder: place.temp })
  expect(masked).toHaveLine('doctor-memory-free')
  expect(place.servers()).toEqual([])
})

test.each([
  { args: ['doctor'], printed: 'stdout' },
  { args: ['run', 'quickstart', '--profile', 'smoke'], printed: 'stderr' },
] as const)('without any mongod, $args.0 says what was tried, and ends with 4', async ({ args, printed }) => {
  await using place = await workplace()
  const ended = await place.run(args, { PATH: '', MONGOMS_SYSTEM_BINARY: '', MONGOMS_RUNTIME_DOWNLOAD: 'false' })
  expect(ended.code).toBe(4)
  const [text, system] = /No mongod [^]* (\S+): .* pip\n.*/.exec(ended[printed]) ?? []
  expect(text?.replace(/\n *(?:hint: )?(?=\S.*$)/, '\n')).toSay('mongod-not-found-here', { system: String(system) })
})

test.runIf(process.platform === 'linux').each([
  [{ HOME: '/proc', XDG_STATE_HOME: '' }, 'doctor-no-state-folder', { home: '/proc' }],
  [{ TMPDIR: '/nonexistent' }, 'doctor-no-temporary-folder', { folder: '/nonexistent' }],
])('a folder that cannot be made is reported with the variable to set: %j', async (env, text, data) => {
  await using place = await workplace()
  const { code, stdout, stderr } = await place.run(['doctor'], env)
  expect([code, stderr]).toEqual([4, ''])
  expect(/^no .*\n.*/m.exec(stdout)?.[0]).toSay(text, data)
})

test('--download prints the path of a mongod that is here, and nothing else', async () => {
  await using place = await workplace()
  const { code, stdout, stderr } = await place.run(['doctor', '--download'])
  expect([code, stdout, stderr]).toEqual([0, `${inject('mongodPath')}\n`, ''])
})
