import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Machine } from '../../src/servers/machine.ts'
import { type FindContext } from '../../src/servers/targets/server/programs/find-program.ts'

/** A machine with a home of its own, in which programs can be planted. */
export type PlantedHome = AsyncDisposable & {
  readonly home: string
  /** Puts a program there that prints these words, and hands back its path. */
  readonly plant: (file: string, words: string) => Promise<string>
  readonly contextWith: (env: Machine['env']) => FindContext
}

export async function plantedHome(): Promise<PlantedHome> {
  const home = await mkdtemp(path.join(tmpdir(), 'mongo-perf-find-'))
  return {
    home,
    async plant(file, words) {
      const target = path.join(home, file)
      await mkdir(path.dirname(target), { recursive: true })
      await writeFile(target, `#!/bin/sh\necho "${words}"\n`)
      await chmod(target, 0o755)
      return target
    },
    contextWith: (env) => ({
      machine: { env, home, tempFolder: home, workingFolder: home, platform: 'linux', arch: 'x64' },
      signal: new AbortController().signal,
      log: () => undefined,
    }),
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  }
}
