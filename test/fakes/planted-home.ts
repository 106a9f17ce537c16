import { chmod, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Machine } from '../../src/servers/machine.ts'
import { type FindContext } from '../../src/servers/targets/server/programs/find-program.ts'
import { useFreshFolder } from './temporary-folder.ts'

/** A machine that has, in each test, a home of its own in which programs can be planted. */
export function usePlantedHome() {
  const inHome = useFreshFolder()
  return {
    inHome,
    /** Puts a program there that prints these words, and hands back its path. */
    async plant(file: string, words: string): Promise<string> {
      const target = inHome(file)
      await mkdir(path.dirname(target), { recursive: true })
      await writeFile(target, `#!/bin/sh\necho "${words}"\n`)
      await chmod(target, 0o755)
      return target
    },
    contextWith(env: Machine['env']): FindContext {
      const home = inHome()
      return {
        machine: { env, home, tempFolder: home, workingFolder: home, platform: 'linux', arch: 'x64' },
        signal: new AbortController().signal,
        log: () => undefined,
      }
    },
  }
}
