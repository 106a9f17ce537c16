import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/**
 * The `package.json` that is packed, without what serves only a clone: npm warns whoever installs a package that has `prepare`.
 * @param text That of the clone.
 */
export function publishedManifest(text: string): string {
  const {
    scripts: _scripts,
    devDependencies: _tools,
    overrides: _overrides,
    ...published
  } = JSON.parse(text) as object & Readonly<Record<'scripts' | 'devDependencies' | 'overrides', object>>
  return `${JSON.stringify(published, null, 2)}\n`
}

const kept = 'build/package.json'

/** Puts it in the place of that of the clone, which `restore` brings back once it is packed. */
function publish(): void {
  const text = readFileSync('package.json', 'utf8')
  mkdirSync('build', { recursive: true })
  writeFileSync(kept, text)
  writeFileSync('package.json', publishedManifest(text))
}

const restore = (): void => renameSync(kept, 'package.json')

if (process.argv[1] === import.meta.filename) (process.argv[2] === 'publish' ? publish : restore)()
