import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { type BuildOptions, type Plugin } from 'rolldown'
import { minifySync } from 'rolldown/utils'
import { publicEntries, startedEntries } from '../../../src/core/entries.ts'
import { requireFromPackage } from '../../../src/core/package-root.ts'
import { licenceTexts, findPackage } from './licences.ts'

const { dependencies, devDependencies, peerDependencies } = JSON.parse(
  readFileSync('package.json', 'utf8'),
) as Readonly<Record<'dependencies' | 'devDependencies' | 'peerDependencies', Readonly<Record<string, string>>>>

/** The packages that users install: none of them is bundled. */
export const external = Object.keys({ ...dependencies, ...peerDependencies }).map((name) => new RegExp(`^${name}(/|$)`))

const entries = [...publicEntries, ...startedEntries]
const source = path.resolve('src') + path.sep
const resolveEntry = (entry: string): string => path.resolve('src', `${entry}.ts`)
const entryFiles: ReadonlySet<string> = new Set(entries.map(resolveEntry))

/** So small that it lies with our own modules. */
const smallPackage = 'fastest-levenshtein'

const isPackage = (id: string): boolean =>
  external.some((name) => name.test(id)) || ![undefined, smallPackage].includes(findPackage(id))

/** The modules that load a package, themselves or by what they import. */
const loadPackages = new Set<string>()

/** The modules that help loads, which shows the options of all commands. */
const helpModules = new Set<string>()

/** Finds both, the first from the modules that import a package to whoever imports those. */
const findLoads: Plugin = {
  name: 'find-loads',
  buildEnd() {
    const ids = [...this.getModuleIds()].filter((id) => this.getModuleInfo(id)?.importedIds.some(isPackage))
    for (const id of ids) {
      if (loadPackages.has(id)) continue
      loadPackages.add(id)
      ids.push(...(this.getModuleInfo(id)?.importers ?? []))
    }
    for (const id of ['cli/main', 'cli/program'].map(resolveEntry)) helpModules.add(id)
    for (const id of helpModules) for (const next of this.getModuleInfo(id)?.importedIds ?? []) helpModules.add(next)
  },
}

type ModuleGraph = { readonly getModuleInfo: (id: string) => { readonly importers: readonly string[] } | null }

/** A chunk for each package that we bundle, with the packages that it brings: none of our modules shares a chunk with it. */
function choosePackageChunk(id: string, graph: ModuleGraph): string | null {
  const ids = [id]
  for (const one of ids) {
    const name = findPackage(one)
    if (name === smallPackage) return null
    if (name !== undefined && name in devDependencies) return name.replace('/', '-')
    if (name !== undefined) ids.push(...(graph.getModuleInfo(one)?.importers ?? []).filter((by) => !ids.includes(by)))
  }
  return null
}

/**
 * A chunk for the modules of a room that load no package: they cost so little that it does not matter who needs only some of them.
 * Rooms import one way, so that no chunk needs another that is not loaded yet.
 * Without it there would be a chunk for each combination of entries. What help needs is in one, so that it loads nothing else.
 */
function chooseRoomChunk(id: string): string | null {
  if (findPackage(id) === smallPackage) return 'core'
  if (findPackage(id) !== undefined || entryFiles.has(id) || loadPackages.has(id)) return null
  if (helpModules.has(id)) return 'core'
  const [room = 'core'] = id.startsWith(source) ? id.slice(source.length).split(path.sep) : []
  return room
}

/** Shortens names in the chunks of packages alone: ours stay, so that a stack can be read. */
const shortenPackages: Plugin = {
  name: 'shorten-packages',
  renderChunk(code, { moduleIds, fileName }) {
    const isOfPackages = moduleIds.length > 0 && moduleIds.every((id) => findPackage(id) !== undefined)
    if (!isOfPackages) return null
    return {
      code: minifySync(fileName, code, { module: true, mangle: true, codegen: true }).code,
      map: { mappings: '' },
    }
  },
}

type SourceMap = { readonly sources: readonly string[]; readonly names: readonly string[] }

/** Gathers the source maps of our modules in one file, from which `show-error.ts` names the lines of a bug. */
const gatherMaps: Plugin = {
  name: 'gather-maps',
  generateBundle(_, bundle) {
    const maps: Record<string, SourceMap> = {}
    for (const [file, output] of Object.entries(bundle)) {
      if (!file.endsWith('.map') || output.type !== 'asset') continue
      const map = JSON.parse(String(output.source)) as SourceMap
      if (map.sources.some((module) => findPackage(module) === undefined))
        maps[file.replace(/\.map$/, '')] = { ...map, names: [] }
      delete bundle[file]
    }
    this.emitFile({
      type: 'asset',
      fileName: 'source-maps.json.gz',
      source: gzipSync(JSON.stringify(maps), { level: 9 }),
    })
  },
}

/** The packages in what was bundled so far. */
const bundled = new Set<string>()

/** Writes the licences of the bundled packages, which ask for that. */
const gatherLicences: Plugin = {
  name: 'gather-licences',
  generateBundle() {
    for (const id of this.getModuleIds()) {
      const name = findPackage(id)
      if (name !== undefined) bundled.add(name)
    }
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source: licenceTexts(bundled) })
  },
}

/** Copies what CommonJS requires of the package, which is written by hand. */
const copyCommonJs: Plugin = {
  name: 'copy-common-js',
  generateBundle() {
    for (const name of ['entries/testing.cjs', 'entries/jest.cjs'])
      this.emitFile({ type: 'asset', fileName: name, source: readFileSync(path.join('src', name), 'utf8') })
  },
}

/** Writes the code that ships as chunks that lie right in `dist/`, so that `package-root.ts` finds everything else. */
export const codeBundle: readonly BuildOptions[] = [
  {
    input: Object.fromEntries(entries.map((entry) => [entry, resolveEntry(entry)])),
    platform: 'node',
    // As chunks of folders need it.
    preserveEntrySignatures: 'allow-extension',
    logLevel: 'warn',
    tsconfig: 'tsconfig.build.json',
    // Node 20 does not know the `using` syntax.
    transform: { target: 'es2023' },
    external,
    // UMD modules load their parts in a way that no bundler sees.
    resolve: { mainFields: ['module', 'main'] },
    plugins: [findLoads, shortenPackages, gatherMaps, gatherLicences, copyCommonJs],
    output: {
      dir: 'dist-new',
      cleanDir: true,
      chunkFileNames: '[name]-[hash].js',
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          { name: choosePackageChunk, debugName: 'packages' },
          { name: chooseRoomChunk, debugName: 'rooms', minShareCount: 2 },
        ],
      },
      // As `shortenPackages` says.
      minify: { mangle: false },
      sourcemap: 'hidden',
      sourcemapExcludeSources: true,
    },
  },
  {
    // `require` loads it when the first histogram is read, which a chunk of ES modules cannot be.
    input: { 'hdr-histogram': requireFromPackage.resolve('hdr-histogram-js') },
    platform: 'node',
    logLevel: 'warn',
    // Serves WebAssembly alone, which we do not use.
    resolve: { alias: { '@assemblyscript/loader': false } },
    // It hides the loading of zlib from bundlers in `eval`, which finds `require` here.
    checks: { eval: false },
    plugins: [gatherLicences],
    output: { dir: 'dist-new', format: 'cjs', entryFileNames: '[name].cjs', minify: true },
  },
]
