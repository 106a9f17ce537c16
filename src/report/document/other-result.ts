import { Problem } from '../../core/errors.ts'
import { type ParsedDocument } from './parse-document.ts'
import { type Source, parseSource } from './sources.ts'

/**
 * Refuses to replace a section by another result of the same spec, such as one from another server. A new result at the
 * same path may replace it, and so may a moved file.
 * @param name Name of the spec.
 * @throws {Problem} "usage".
 */
export function refuseOtherResult(
  { blocks }: ParsedDocument,
  name: string,
  { path, sha256 }: Pick<Source, 'path'> & Partial<Source>,
  file: string,
): void {
  for (const block of blocks.filter((one) => one.name.startsWith(`${name}/`))) {
    const shown = parseSource(block)
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
