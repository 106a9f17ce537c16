import { Problem } from '../errors.ts'
import { type ParsedDocument } from './parse-document.ts'
import { type Source, sourceOf } from './sources.ts'

/**
 * Refuses to put a result where a document shows another one of the same spec: from another server, or from before a change.
 * The same path measured again replaces what it showed, and so does a file that was only moved.
 * @param name Of the spec.
 * @throws {Problem} "usage".
 */
export function refuseOtherResult(
  { blocks }: ParsedDocument,
  name: string,
  { path, sha256 }: Pick<Source, 'path'> & Partial<Source>,
  file: string,
): void {
  for (const block of blocks.filter((one) => one.name.startsWith(`${name}/`))) {
    const shown = sourceOf(block)
    if (shown === null || shown.path === path || shown.sha256 === sha256) continue
    throw new Problem(
      'usage',
      `${file}:${block.from + 1}: the section "${name}" shows another result, ${shown.path}, which ${path} would replace`,
      {
        hint: 'Nothing was written. Put this one into another document with --into. To replace the section, write the result where it was (--out), or delete its blocks first.',
      },
    )
  }
}
