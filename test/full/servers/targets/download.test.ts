import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, inject, test } from 'vitest'
import { showFetching } from '../../../../src/cli/terminal/show-fetching.ts'
import { type Fetching } from '../../../../src/servers/targets/server/programs/find-program.ts'
import { downloadByMemoryServer } from '../../../../src/servers/targets/server/programs/memory-server.ts'
import { fail } from '../../../fakes/fail.ts'
import { useFolder } from '../../../fakes/temporary-folder.ts'

const folder = useFolder()

/** An archive of a release, as the download host of MongoDB has them. */
function packMongod(): Buffer {
  const name = 'mongodb-linux'
  mkdirSync(path.join(folder, name, 'bin'), { recursive: true })
  symlinkSync(inject('mongodPath'), path.join(folder, name, 'bin', 'mongod'))
  const archive = path.join(folder, 'release.tgz')
  execFileSync('tar', ['-chf', archive, '--use-compress-program', 'gzip -1', '-C', folder, name])
  return readFileSync(archive)
}

test(
  'a download says its size and how much has come, and ends with a mongod that runs',
  { timeout: 300_000 },
  async () => {
    const archive = packMongod()
    const checksum = createHash('md5').update(archive).digest('hex')
    const host = createServer((request, response) => {
      const content = request.url?.endsWith('.md5') ? Buffer.from(`${checksum}  release.tgz\n`) : archive
      response.writeHead(200, { 'content-length': content.length }).end(content)
    }).listen(0, '127.0.0.1')
    await once(host, 'listening')
    try {
      const { port } = host.address() as AddressInfo
      const env = {
        PATH: process.env['PATH'],
        HOME: folder,
        MONGOMS_USE_HTTP: 'true',
        MONGOMS_DOWNLOAD_MIRROR: `http://127.0.0.1:${port}`,
        MONGOMS_DOWNLOAD_DIR: path.join(folder, 'downloaded'),
      }
      const machine = {
        env,
        home: folder,
        tempFolder: folder,
        workingFolder: folder,
        platform: 'linux',
        arch: 'x64',
      } as const
      const seen: Fetching[] = []
      const found = await downloadByMemoryServer.look(
        { version: '7.0.16' },
        {
          machine,
          signal: new AbortController().signal,
          log: () => {},
          onFetch: (fetching) => void seen.push(fetching),
        },
      )
      const [binary = fail('no path')] = 'paths' in found ? found.paths : fail(found.nothing)
      expect(execFileSync(binary, ['--version']).toString()).toContain('db version v')
      const shares = seen.map(({ share }) => share ?? 0)
      expect(shares).toEqual(shares.toSorted((one, other) => one - other))
      expect(shares.at(-1)).toBe(1)
      const megabytes = archive.length / 1e6
      expect(seen.every((fetching) => fetching.what === 'mongod 7.0.16' && fetching.megabytes === megabytes)).toBe(true)

      let printed = ''
      const show = showFetching({ printStatus: (text) => void (printed += text), rewrite: fail, rewrites: false })
      for (const fetching of seen) show(fetching)
      const size = `${megabytes.toFixed(0)} MB`
      expect(printed).toBe(`fetching mongod 7.0.16, ${size}\nfetched mongod 7.0.16, ${size}\n`)
    } finally {
      host.close()
    }
  },
)
