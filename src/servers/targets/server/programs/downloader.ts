import path from 'node:path'
import { requireFromPackage } from '../../../../core/package-root.ts'
import { cacheFolder } from '../../../machine.ts'
import { checkBinary, programFile, type ServerProgram } from './check-binary.ts'
import { type FindContext, type Source } from './find-program.ts'
import { isSwitchedOff, runDownload, switchedOff } from './memory-server.ts'

/** An optional package of MongoDB's own, which reads the list of all releases. */
const downloader = '@mongodb-js/mongodb-downloader'

function isInstalled(): boolean {
  try {
    requireFromPackage.resolve(downloader)
    return true
  } catch {
    return false
  }
}

/**
 * Fetches the release that was asked for, of a series the newest; a `mongos` of the release of its mongod. A release brings both programs.
 * @param isThere For tests.
 */
export const downloadByPackage = (program: ServerProgram, isThere = isInstalled): Source => ({
  name: 'download by mongodb-downloader',
  offer: ({ env }) =>
    isSwitchedOff(env)
      ? switchedOff
      : isThere()
        ? { fetches: program === 'mongod' ? 'any release, of a series the newest' : 'the release of the mongod' }
        : notInstalled,
  async look({ version, mongod }, context) {
    if (isSwitchedOff(context.machine.env)) return switchedOff
    if (!isThere()) return notInstalled
    const release = version ?? (mongod === undefined ? undefined : await readVersion(mongod, context))
    if (release === undefined) return { nothing: 'no release was asked for' }
    const folder = path.join(cacheFolder(context.machine), 'releases')
    context.log(`Asking MongoDB's list of releases for ${program} ${release}`)
    const lookup = await runDownload(
      `${program} ${release}`,
      [downloader, folder, release],
      context.machine.env,
      context,
    )
    return 'nothing' in lookup
      ? lookup
      : { paths: lookup.paths.map((bin) => path.join(bin, programFile(program, context.machine))) }
  },
})

const notInstalled = { nothing: 'not installed, see mongo-perf help platforms' }

async function readVersion(mongod: string, { machine, signal }: FindContext): Promise<string | undefined> {
  const check = await checkBinary('mongod', mongod, machine, signal)
  return 'version' in check ? check.version : undefined
}
