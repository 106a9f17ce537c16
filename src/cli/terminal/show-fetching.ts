import { type Fetching } from '../../servers/targets/server/programs/find-program.ts'
import { formatBar } from './show-progress.ts'
import { type StatusWriter } from './status-writer.ts'

/** Shows what is being fetched: that it began and ended, and a bar where lines can be rewritten. */
export function showFetching({ printStatus, rewrite, rewrites }: StatusWriter): (fetching: Fetching) => void {
  const begun = new Set<string>()
  return ({ what, megabytes, share }) => {
    const size = `${megabytes.toFixed(0)} MB`
    if (share === 1) return printStatus(`fetched ${what}, ${size}\n`)
    if (rewrites) return rewrite(`fetching ${what}, ${size}${share === null ? '' : ` ${formatBar(share)}`}`)
    if (!begun.has(what)) printStatus(`fetching ${what}, ${size}\n`)
    begun.add(what)
  }
}
