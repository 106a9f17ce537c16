import { readFile } from 'node:fs/promises'

/** Process id of the guardian of a run, the last one if it has several. Linux only. */
export async function guardianOf(run: number): Promise<number> {
  const children = await readFile(`/proc/${run}/task/${run}/children`, 'utf8')
  for (const child of children.trim().split(' ').toReversed()) {
    if ((await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')).includes('guardian')) return Number(child)
  }
  throw new Error('The run has no guardian')
}
