import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

/** The source maps of a bundle, by file. */
export type SourceMaps = Readonly<Record<string, SourceMapPayload>>

const position = /(file:\/\/[^\s():]+):(\d+):(\d+)/g

/**
 * Rewrites the positions of a stack from the bundle to the lines of `src/`. What no map knows stays as it is.
 * @param codeFolder The folder of the bundle, to which its maps are relative.
 */
export function showSourceLines(stack: string, codeFolder: string, maps: SourceMaps): string {
  return stack.replace(position, (asBuilt, url: string, line: string, column: string) => {
    const map = maps[path.relative(codeFolder, fileURLToPath(url)).split(path.sep).join('/')]
    if (map === undefined) return asBuilt
    const found = new SourceMap(map).findEntry(Number(line) - 1, Number(column) - 1)
    if (!('originalSource' in found) || found.originalSource === undefined) return asBuilt
    const source = found.originalSource.replace(/^(?:\.\.\/)+/, '')
    return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`
  })
}

/** Reads the source maps beside the code. From source there are none, nor are any needed. */
export function readSourceMaps(codeFolder: string): SourceMaps {
  try {
    return JSON.parse(gunzipSync(readFileSync(path.join(codeFolder, 'source-maps.json.gz'))).toString()) as SourceMaps
  } catch {
    return {}
  }
}
